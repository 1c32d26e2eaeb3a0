#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/completion.h"

namespace pyrometer {
namespace {

// `--sort=KEY` arrives as three words, as '=' is among COMP_WORDBREAKS.
constexpr const char* kHelpers = R"(_pyrometer_words() {
  local before=${current%"${current##*,}"}  # several with commas
  COMPREPLY=($(compgen -P "$before" -W "$1" -- "${current##*,}"))
}
_pyrometer_files() {
  local IFS=$'\n'  # a name may have spaces
  compopt -o filenames 2>/dev/null
  COMPREPLY=($(compgen -f -- "$current"))
}
# Whether a program was named before the current word; $1 are the options with a value.
_pyrometer_program() {
  local at=2
  while ((at < COMP_CWORD)); do
    case ${COMP_WORDS[at]} in
      -- | -c | -m) return 0 ;;
      =) ((at += 2)) ;;
      -*) [[ " $1 " == *" ${COMP_WORDS[at]} "* && ${COMP_WORDS[at + 1]} != = ]] && ((at += 1))
        ((at += 1)) ;;
      *) return 0 ;;
    esac
  done
  return 1
}
)";

std::vector<std::string> names_of(const std::vector<CompletedOption>& options) {
  std::vector<std::string> names;
  for (const CompletedOption& option : options) {
    names.insert(names.end(), option.names.begin(), option.names.end());
  }
  return names;
}

std::string options_with_value(const CompletedCommand& command) {
  std::vector<std::string> names;
  for (const CompletedOption& option : command.options) {
    if (option.needs_value) names.insert(names.end(), option.names.begin(), option.names.end());
  }
  return fmt::format("{}", fmt::join(names, " "));
}

std::string value_of(const CompletedOption& option) {
  if (!option.choices.empty()) {
    return fmt::format("_pyrometer_words '{}'; return", fmt::join(option.choices, " "));
  }
  return option.takes_file ? "_pyrometer_files; return" : "return";
}

// The branches of `case COMMAND:OPTION` that complete values.
std::string value_cases(const CompletedCommand& command) {
  std::string cases;
  for (const CompletedOption& option : command.options) {
    if (option.value.empty()) continue;
    std::vector<std::string> patterns;
    for (const std::string& name : option.names) {
      patterns.push_back(fmt::format("{}:{}=", command.name, name));
      // What is optional cannot be the next word.
      if (option.needs_value) patterns.push_back(fmt::format("{}:{}", command.name, name));
    }
    cases += fmt::format("    {}) {} ;;\n", fmt::join(patterns, " | "), value_of(option));
  }
  return cases;
}

std::string operand_of(const CompletedCommand& command) {
  if (command.operand.empty()) return ":";
  if (command.words.empty()) return "_pyrometer_files";
  return fmt::format("_pyrometer_words '{}'", fmt::join(command.words, " "));
}

// The branch of `case COMMAND` that completes everything else.
std::string command_case(const CompletedCommand& command) {
  std::string text = fmt::format("    {})\n", command.name);
  if (command.operand_is_a_program) {
    text += fmt::format("      _pyrometer_program '{}' && {{ _pyrometer_files; return; }}\n",
                        options_with_value(command));
  }
  return text + fmt::format(
                    "      if [[ $current == -* ]]; then _pyrometer_words '{}'\n"
                    "      else {}; fi ;;\n",
                    fmt::join(names_of(command.options), " "), operand_of(command));
}

}  // namespace

std::string bash_completion(const CompletedLine& line) {
  std::vector<std::string> first = names_of(line.options);
  std::string values;
  std::string commands;
  for (const CompletedCommand& command : line.commands) {
    first.push_back(command.name);
    values += value_cases(command);
    commands += command_case(command);
  }
  return fmt::format(
      "# bash completion of pyrometer: source <(pyrometer completion bash)\n"
      "{}"
      "_pyrometer() {{\n"
      "  local current=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD - 1]}}\n"
      "  COMPREPLY=()\n"
      "  if ((COMP_CWORD == 1)); then _pyrometer_words '{}'; return; fi\n"
      "  if [[ $current == = ]]; then current= before+==\n"
      "  elif [[ $before == = ]]; then before=${{COMP_WORDS[COMP_CWORD - 2]}}=; fi\n"
      "  case ${{COMP_WORDS[1]}}:$before in\n{}  esac\n"
      "  case ${{COMP_WORDS[1]}} in\n{}  esac\n"
      "}}\n"
      "complete -F _pyrometer pyrometer\n",
      kHelpers, fmt::join(first, " "), values, commands);
}

}  // namespace pyrometer

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/completion.h"

namespace pyrometer {
namespace {

// In the specifications of _arguments, brackets and colons have a meaning.
std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '[' || c == ']' || c == ':' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

std::string action_of(const CompletedOption& option) {
  if (!option.choices.empty()) return fmt::format("({})", fmt::join(option.choices, " "));
  return option.takes_file ? "_files" : " ";  // a space: only what it is called
}

// "*": each may be repeated. A value follows after a space, in the same word or behind a '='.
std::string specification(const CompletedOption& option, const std::string& name) {
  const bool is_long = name.starts_with("--");
  std::string text = "*" + name;
  if (!option.value.empty()) text += option.needs_value ? (is_long ? "=" : "+") : "=-";
  text += "[" + escaped(option.description) + "]";
  if (!option.value.empty()) {
    text += fmt::format("{}{}:{}", option.needs_value ? ":" : "::", escaped(option.value),
                        action_of(option));
  }
  return quoted_for_shell(text);
}

std::string operand_of(const CompletedCommand& command) {
  if (command.operand.empty()) return "";
  if (command.operand_is_a_program) return quoted_for_shell("*::" + command.operand + ":_files");
  if (command.words.empty()) return quoted_for_shell("*:" + command.operand + ":_files");
  return quoted_for_shell(fmt::format("1:{}:({})", command.operand, fmt::join(command.words, " ")));
}

std::vector<std::string> specifications(const std::vector<CompletedOption>& options) {
  std::vector<std::string> all;
  for (const CompletedOption& option : options) {
    for (const std::string& name : option.names) all.push_back(specification(option, name));
  }
  return all;
}

std::string command_case(const CompletedCommand& command) {
  std::vector<std::string> words = specifications(command.options);
  if (!command.operand.empty()) words.push_back(operand_of(command));
  // No options behind the program: they are its own.
  return fmt::format("    {})\n      _arguments -s -S{} \\\n        {} ;;\n", command.name,
                     command.operand_is_a_program ? " -A '-*'" : "",
                     fmt::join(words, " \\\n        "));
}

}  // namespace

std::string zsh_completion(const CompletedLine& line) {
  std::string names;
  std::string cases;
  for (const CompletedCommand& command : line.commands) {
    names += fmt::format("    {}\n", quoted_for_shell(command.name + ":" + command.description));
    cases += command_case(command);
  }
  return fmt::format(
      "#compdef pyrometer\n"
      "# zsh completion of pyrometer: source <(pyrometer completion zsh)\n"
      "_pyrometer() {{\n"
      "  local -a commands=(\n{}  )\n"
      "  if ((CURRENT == 2)); then\n"
      "    _describe command commands\n"
      "    _arguments -s {}\n"
      "    return\n"
      "  fi\n"
      "  local command=$words[2]\n"
      "  shift words\n"
      "  ((CURRENT -= 1))\n"
      "  case $command in\n{}  esac\n"
      "}}\n"
      "if [[ $funcstack[1] == _pyrometer ]]; then\n"  // found in a folder of fpath
      "  _pyrometer \"$@\"\n"
      "else\n"
      "  compdef _pyrometer pyrometer\n"
      "fi\n",
      names, fmt::join(specifications(line.options), " "), cases);
}

}  // namespace pyrometer

// Shell completion scripts, made from the description of the command line.
#include "cli/command_line.h"
#include "cli/terminal.h"

namespace pyrometer {
namespace {

// "--limit" and "-n"
std::vector<std::string> names_of(const CLI::Option& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.get_lnames()) names.push_back("--" + name);
  for (const std::string& name : option.get_snames()) names.push_back("-" + name);
  return names;
}

// Of all options of a command.
std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (std::string& name : names_of(*option)) names.push_back(std::move(name));
  }
  return names;
}

std::vector<const CLI::App*> subcommands(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App*) { return true; });
}

std::string joined(const std::vector<std::string>& words, const char* separator) {
  std::string all;
  for (const std::string& word : words) all += (all.empty() ? "" : separator) + word;
  return all;
}

std::string quoted(std::string text) {
  for (std::size_t i = 0; (i = text.find('\'', i)) != std::string::npos; i += 4) {
    text.replace(i, 1, "'\\''");
  }
  return "'" + text + "'";
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

// The branches of a shell's `case COMMAND:OPTION` for options whose values we know; `before` and
// `after` make the words an answer.
std::string choice_cases(const CommandLine& line, const char* before, const char* after) {
  std::string cases;
  for (const CLI::App* command : subcommands(line.app)) {
    for (const CLI::Option* option : command->get_options()) {
      const auto choices = line.choices.find(option);
      if (choices == line.choices.end()) continue;
      std::vector<std::string> patterns;
      for (const std::string& name : names_of(*option)) {
        patterns.push_back(command->get_name() + ":" + name);
      }
      cases += fmt::format("    {}) {}{}{}; return ;;\n", joined(patterns, "|"), before,
                           joined(choices->second, " "), after);
    }
  }
  return cases;
}

std::string bash_script(const CommandLine& line) {
  const CLI::App& app = line.app;
  std::vector<std::string> commands;
  std::string cases;
  for (const CLI::App* command : subcommands(app)) {
    commands.push_back(command->get_name());
    cases += fmt::format("    {}) words='{}' ;;\n", command->get_name(),
                         joined(option_names(*command), " "));
  }
  return fmt::format(
      "_pyrometer() {{\n"
      "  local current=${{COMP_WORDS[COMP_CWORD]}} words\n"
      "  if [[ $COMP_CWORD -eq 1 ]]; then\n"
      "    words='{} {}'\n"
      "    COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n"
      "    return\n"
      "  fi\n"
      "  case ${{COMP_WORDS[1]}}:${{COMP_WORDS[COMP_CWORD - 1]}} in\n{}  esac\n"
      "  case ${{COMP_WORDS[1]}} in\n{}    *) words= ;;\n  esac\n"
      "  if [[ $current == -* ]]; then\n"
      "    COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n"
      "  else\n"
      "    local IFS=$'\\n'\n"  // a name may have spaces
      "    compopt -o filenames 2>/dev/null\n"
      "    COMPREPLY=($(compgen -f -- \"$current\"))\n"
      "  fi\n"
      "}}\n"
      "complete -F _pyrometer pyrometer\n",
      joined(commands, " "), joined(option_names(app), " "),
      choice_cases(line, "COMPREPLY=($(compgen -W '", "' -- \"$current\"))"), cases);
}

std::string zsh_script(const CommandLine& line) {
  const CLI::App& app = line.app;
  std::string commands;
  std::string cases;
  for (const CLI::App* command : subcommands(app)) {
    commands += fmt::format(
        "    {}\n", quoted(command->get_name() + ":" + first_line(command->get_description())));
    cases += fmt::format("    {}) compadd -- {} ;;\n", command->get_name(),
                         joined(option_names(*command), " "));
  }
  return fmt::format(
      "#compdef pyrometer\n"
      "_pyrometer() {{\n"
      "  local -a commands=(\n{}  )\n"
      "  if (( CURRENT == 2 )); then\n"
      "    _describe command commands\n"
      "    return\n"
      "  fi\n"
      "  case $words[2]:$words[CURRENT-1] in\n{}  esac\n"
      "  if [[ $words[CURRENT] != -* ]]; then\n"
      "    _files\n"
      "    return\n"
      "  fi\n"
      "  case $words[2] in\n{}  esac\n"
      "}}\n"
      "compdef _pyrometer pyrometer\n",
      commands, choice_cases(line, "compadd -- ", ""), cases);
}

std::string fish_script(const CommandLine& line) {
  std::string script;
  for (const CLI::App* command : subcommands(line.app)) {
    script += fmt::format("complete -c pyrometer -n __fish_use_subcommand -a {} -d {}\n",
                          command->get_name(), quoted(first_line(command->get_description())));
    for (const CLI::Option* option : command->get_options()) {
      std::string names;
      for (const std::string& name : option->get_lnames()) names += " -l " + name;
      for (const std::string& name : option->get_snames()) names += " -s " + name;
      if (names.empty()) continue;
      if (const auto choices = line.choices.find(option); choices != line.choices.end()) {
        names += " -x -a " + quoted(joined(choices->second, " "));
      }
      script +=
          fmt::format("complete -c pyrometer -n '__fish_seen_subcommand_from {}'{} -d {}\n",
                      command->get_name(), names, quoted(first_line(option->get_description())));
    }
  }
  return script;
}

}  // namespace

Result<std::string> completion_script(const CommandLine& line, std::string_view shell) {
  if (shell == "bash") return bash_script(line);
  if (shell == "zsh") return zsh_script(line);
  if (shell == "fish") return fish_script(line);
  return fail(ErrorCode::kUsage, "there is no completion for '{}'; choose bash, zsh or fish",
              shell);
}

void add_completion_command(CommandLine& line) {
  auto shell = std::make_shared<std::string>();
  CLI::App& command = *line.app.add_subcommand(
      "completion", "Print a completion script: source <(pyrometer completion bash)");
  command.add_option("SHELL", *shell, "bash, zsh or fish")->required()->type_name("");
  command.callback([&line, shell] {
    line.action = [&line, shell]() -> Result<void> {
      PYROMETER_TRY(const std::string script, completion_script(line, *shell));
      return write_to_stdout(script);
    };
  });
}

}  // namespace pyrometer

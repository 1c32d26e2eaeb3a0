// Shell completion scripts, made from the description of the command line.
#include "cli/command_line.h"
#include "cli/terminal.h"

namespace pyrometer {
namespace {

// All option names of a command: "--limit", "-n", ...
std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    for (const std::string& name : option->get_snames()) names.push_back("-" + name);
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

std::string bash_script(const CLI::App& app) {
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
      joined(commands, " "), joined(option_names(app), " "), cases);
}

std::string zsh_script(const CLI::App& app) {
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
      "  if [[ $words[CURRENT] != -* ]]; then\n"
      "    _files\n"
      "    return\n"
      "  fi\n"
      "  case $words[2] in\n{}  esac\n"
      "}}\n"
      "compdef _pyrometer pyrometer\n",
      commands, cases);
}

std::string fish_script(const CLI::App& app) {
  std::string script;
  for (const CLI::App* command : subcommands(app)) {
    script += fmt::format("complete -c pyrometer -n __fish_use_subcommand -a {} -d {}\n",
                          command->get_name(), quoted(first_line(command->get_description())));
    for (const CLI::Option* option : command->get_options()) {
      std::string names;
      for (const std::string& name : option->get_lnames()) names += " -l " + name;
      for (const std::string& name : option->get_snames()) names += " -s " + name;
      if (names.empty()) continue;
      script +=
          fmt::format("complete -c pyrometer -n '__fish_seen_subcommand_from {}'{} -d {}\n",
                      command->get_name(), names, quoted(first_line(option->get_description())));
    }
  }
  return script;
}

}  // namespace

Result<std::string> completion_script(const CLI::App& app, std::string_view shell) {
  if (shell == "bash") return bash_script(app);
  if (shell == "zsh") return zsh_script(app);
  if (shell == "fish") return fish_script(app);
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
      PYROMETER_TRY(const std::string script, completion_script(line.app, *shell));
      return write_to_stdout(script);
    };
  });
}

}  // namespace pyrometer

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/completion.h"

namespace pyrometer {
namespace {

std::string values_of(const CompletedOption& option) {
  if (option.takes_file) return " -r -F";
  // Without -x a value is optional and follows a '='.
  std::string values = option.needs_value ? " -x" : "";
  if (option.choices.empty()) return values;
  return values + " -a " + quoted_for_shell(fmt::format("{}", fmt::join(option.choices, " ")));
}

// `command` is empty before there is one.
std::string rule(const std::string& command, const std::string& what) {
  return fmt::format("complete -c pyrometer -n '__pyrometer_command \"{}\"'{}\n", command, what);
}

std::string option_rule(const std::string& command, const CompletedOption& option) {
  std::string what;
  for (const std::string& name : option.names) {
    what += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  }
  return rule(command, what + values_of(option) + " -d " + quoted_for_shell(option.description));
}

std::string operand_rule(const CompletedCommand& command) {
  if (command.operand.empty()) return "";
  if (command.words.empty()) return rule(command.name, " -F");
  return rule(command.name,
              " -a " + quoted_for_shell(fmt::format("{}", fmt::join(command.words, " "))));
}

}  // namespace

std::string fish_completion(const CompletedLine& line) {
  std::string script =
      "# fish completion of pyrometer: pyrometer completion fish | source\n"
      "function __pyrometer_command\n"
      "  set -l words (commandline -opc)\n"
      "  test \"$words[2]\" = \"$argv[1]\"\n"
      "end\n"
      "complete -c pyrometer -f\n";
  for (const CompletedOption& option : line.options) script += option_rule("", option);
  for (const CompletedCommand& command : line.commands) {
    script +=
        rule("", fmt::format(" -a {} -d {}", command.name, quoted_for_shell(command.description)));
    script += operand_rule(command);
    for (const CompletedOption& option : command.options) {
      script += option_rule(command.name, option);
    }
  }
  return script;
}

}  // namespace pyrometer

#include "cli/completion.h"

#include <algorithm>
#include <array>

namespace pyrometer {
namespace {

// The values that are names of files, as the help calls them.
constexpr std::array<std::string_view, 5> kFileValues{"EXE", "FILE", "PATH", "PROFILE", "RUN"};

// What help says first; details would not fit beside a name.
std::string brief(const std::string& text) {
  std::size_t end = text.find('\n');
  for (const char* detail : {" (", ": ", "; "}) end = std::min(end, text.find(detail));
  return text.substr(0, end);
}

// "[=hot]" and "=WHAT" are what follows a '=', which the shells add themselves.
std::string value_name(const CLI::Option& option) {
  if (option.get_expected_max() == 0) return {};
  std::string name = option.get_type_name();
  std::erase(name, '=');
  return name.empty() ? "VALUE" : name;
}

std::vector<std::string> choices_of(const CommandLine& line, const CLI::Option& option) {
  const auto found = line.choices.find(&option);
  return found == line.choices.end() ? std::vector<std::string>{} : found->second;
}

CompletedOption describe(const CommandLine& line, const CLI::Option& option) {
  CompletedOption described{
      .description = brief(option.get_description()),
      .value = value_name(option),
      .needs_value = option.get_expected_min() > 0,
      .choices = choices_of(line, option),
  };
  for (const std::string& name : option.get_lnames()) described.names.push_back("--" + name);
  for (const std::string& name : option.get_snames()) described.names.push_back("-" + name);
  described.takes_file =
      std::find(kFileValues.begin(), kFileValues.end(), described.value) != kFileValues.end();
  return described;
}

CompletedCommand describe(const CommandLine& line, const CLI::App& command) {
  CompletedCommand described{.name = command.get_name(),
                             .description = brief(command.get_description())};
  for (const CLI::Option* option : command.get_options()) {
    if (!option->get_positional()) {
      described.options.push_back(describe(line, *option));
      continue;
    }
    described.operand = option->get_name();
    described.words = choices_of(line, *option);
    described.operand_is_a_program = described.operand == kProgramOperand;
  }
  return described;
}

}  // namespace

CompletedLine describe_completion(const CommandLine& line) {
  CompletedLine described;
  for (const CLI::Option* option : line.app.get_options()) {
    described.options.push_back(describe(line, *option));
  }
  for (const CLI::App* command : line.app.get_subcommands([](const CLI::App*) { return true; })) {
    described.commands.push_back(describe(line, *command));
  }
  return described;
}

std::string quoted_for_shell(std::string_view text) {
  std::string quoted = "'";
  for (const char c : text) c == '\'' ? quoted += "'\\''" : quoted += c;
  return quoted + "'";
}

}  // namespace pyrometer

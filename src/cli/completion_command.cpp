// `pyrometer completion`: prints a script for a shell.
#include <algorithm>
#include <array>

#include "cli/completion.h"
#include "cli/terminal.h"

namespace pyrometer {
namespace {

struct Shell {
  const char* name;
  std::string (*write)(const CompletedLine&);
};
constexpr std::array kShells{
    Shell{"bash", bash_completion},
    Shell{"zsh", zsh_completion},
    Shell{"fish", fish_completion},
};

Result<std::string> completion_script(std::string_view name) {
  const auto* const shell = std::find_if(kShells.begin(), kShells.end(),
                                         [&](const Shell& each) { return each.name == name; });
  if (shell != kShells.end()) return shell->write(describe_completion(*make_command_line()));
  return fail(ErrorCode::kUsage, "there is no completion for '{}'; choose bash, zsh or fish", name);
}

}  // namespace

void add_completion_command(CommandLine& line) {
  auto shell = std::make_shared<std::string>();
  CLI::App& command = *line.app.add_subcommand(
      "completion", "Print a completion script: source <(pyrometer completion bash)");
  CLI::Option* operand =
      command.add_option("SHELL", *shell, "bash, zsh or fish")->required()->type_name("");
  for (const Shell& each : kShells) line.choices[operand].emplace_back(each.name);
  command.callback([&line, shell] {
    line.action = [shell]() -> Result<void> {
      PYROMETER_TRY(const std::string script, completion_script(*shell));
      return write_to_stdout(script);
    };
  });
}

}  // namespace pyrometer

#include "cli/command_line.h"
#include "cli/terminal.h"

namespace pyrometer {
void add_merge_command(CommandLine&) {}
}  // namespace pyrometer

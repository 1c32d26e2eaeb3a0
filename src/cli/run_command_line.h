// The whole program behind main(), without the header that describes its commands.
#pragma once

namespace pyrometer {

// Exit status: 0, 2 for wrong usage, 1 for everything else.
int run_command_line(int argc, char** argv);

}  // namespace pyrometer

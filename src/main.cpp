#include "cli/run_command_line.h"

int main(int argc, char** argv) { return pyrometer::run_command_line(argc, argv); }

// What the user asked `pyrometer run` for.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/command_line.h"

namespace pyrometer {

struct RunArguments {
  std::string output;
  bool exact = false;
  std::string c_callables = "builtin";
  bool calibrate = false;
  bool throttle = false;
  bool timeline = false;
  int timeline_size = 250'000;
  bool lines = false;
  std::vector<std::string> line_targets;
  bool lines_imports = false;
  std::vector<std::string> regions;  // NAME=module:function
  std::string memory;                // sampled, exact or objects; empty: not recorded
  bool copies = false;               // beside memory
  std::optional<int> rate;
  std::string clock = "auto";
  std::string python = "python3";
  std::string ranks;  // which of a launch to record; empty: all
  bool mpi = false, no_mpi = false;
  bool paused = false;  // until the program calls pyrometer.resume()
  bool quiet = false;
  bool replace = false;
  bool json = false;
};

// Fills `arguments` and the program's words; returns the command.
CLI::App& add_run_options(CommandLine& line, const std::shared_ptr<RunArguments>& arguments);

}  // namespace pyrometer

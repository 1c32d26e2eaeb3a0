// A program of the system that does one job for us, such as Graphviz's dot: found on PATH, run to
// its end. Several threads may do so at once.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace pyrometer {

struct ToolEnding {
  int status = 0;
  int signal = 0;         // 0: none
  std::string complaint;  // what it said on standard error, at most 64 KiB

  bool is_good() const { return status == 0 && signal == 0; }
};

// It reads nothing and its standard output is thrown away. The error is kNotFound when there is no
// such program.
Result<ToolEnding> run_tool(std::vector<std::string> argv);

// A program that goes on by itself, such as a browser: not in our session, so that Ctrl-C does not
// reach it, and whatever it says is thrown away.
Result<void> start_tool(std::vector<std::string> argv);

}  // namespace pyrometer

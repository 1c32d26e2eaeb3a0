// Where among the processes of a launch `pyrometer run` finds itself.
#pragma once

#include <optional>
#include <string>

#include "os/rank.h"

namespace pyrometer {

// Who we are among the processes of a launch.
struct RunPlace {
  std::string host;
  std::optional<Rank> rank;
  bool is_shared = false;  // other ranks record into the same directory
  bool is_mpmd = false;    // and may run other programs than we do
  std::string launch;
  std::string job;
};

RunPlace find_place();

// Whether a program of this name starts ranks itself: mpirun, mpiexec, srun, ...
bool is_launcher(const std::string& program);

}  // namespace pyrometer

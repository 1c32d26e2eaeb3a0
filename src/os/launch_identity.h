// Which launch this process belongs to: equal in all processes that one mpirun, srun or
// shell command started, different for the next one. Never needs MPI.
#pragma once

#include <functional>
#include <optional>
#include <string>

namespace pyrometer {

using Environment = std::function<std::optional<std::string>(const char* name)>;

// The variables of this process.
std::optional<std::string> own_environment(const char* name);

struct ProcessStart {
  int pid = 0;
  unsigned long long ticks_since_boot = 0;  // tells a pid from its reuse
  int parent = 0;
};

// Reads /proc; nothing when the process is gone or hidden.
std::optional<ProcessStart> process_start(int pid);

ProcessStart own_start();

// Who started us.
struct LaunchedBy {
  // The nearest of our ancestors that is not part of our rank, as wrapper scripts are.
  ProcessStart start;
  // Hydra, the launcher of MPICH and Intel MPI, starts ranks through a helper on each node. What
  // all of them know is where their mpiexec listens: "node07:36021"; empty under others.
  std::string control_port = {};
};
// `setting` is "NAME=VALUE", which the launcher put into the environment of this rank; empty:
// nothing.
LaunchedBy find_launcher(const std::string& setting);

// The launcher's own name for the launch, or the job's step where srun is the launcher, else the
// job, else the launcher's pid and start time.
std::string launch_identity(const Environment& environment, const std::string& host,
                            const LaunchedBy& launcher);

}  // namespace pyrometer

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
};

// Reads /proc; nothing when the process is gone or hidden.
std::optional<ProcessStart> process_start(int pid);

// Of this process, and of the one that started it.
ProcessStart own_start();
ProcessStart parent_start();

// Job id and step where a batch system gives both, else the launcher's own name for the
// launch, else the launcher's pid and start time.
std::string launch_identity(const Environment& environment, const std::string& host,
                            const ProcessStart& launcher);

}  // namespace pyrometer

#include "os/launch_identity.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <span>
#include <sstream>

#include "os/rank.h"

namespace pyrometer {
namespace {

struct Scheme {
  const char* label;
  const char* first;
  const char* second;  // must be set too when named
};

// Each names one launch.
constexpr Scheme kLaunches[] = {
    {"pmix", "PMIX_NAMESPACE", nullptr},
    {"flux", "FLUX_JOB_ID", nullptr},
    {"pals", "PALS_APID", nullptr},
};
// A bare batch job may hold several.
constexpr Scheme kJobs[] = {
    {"pbs", "PBS_JOBID", nullptr},
    {"lsf", "LSB_JOBID", nullptr},
    {"cobalt", "COBALT_JOBID", nullptr},
    {"sge", "JOB_ID", "SGE_ROOT"},
};

std::optional<std::string> identity_by(std::span<const Scheme> schemes,
                                       const Environment& environment) {
  for (const Scheme& scheme : schemes) {
    const auto first = environment(scheme.first);
    if (!first) continue;
    if (scheme.second == nullptr) return fmt::format("{}:{}", scheme.label, *first);
    if (const auto second = environment(scheme.second)) {
      return fmt::format("{}:{}.{}", scheme.label, *first, *second);
    }
  }
  return std::nullopt;
}

std::string identity_of(const std::string& host, const ProcessStart& launcher) {
  return fmt::format("{}:{}:{}", host, launcher.pid, launcher.ticks_since_boot);
}

// torchrun's id is "none", or what the user wrote into a script: alone it names no launch. On one
// machine there is one torchrun; on several they meet where the first one listens.
std::string torchrun_identity(const Environment& environment, const std::string& host,
                              const ProcessStart& launcher) {
  const auto known = [&](const char* name) { return environment(name).value_or(""); };
  const bool is_on_one_machine = known("LOCAL_WORLD_SIZE") == known("WORLD_SIZE");
  const std::string restarts = known("TORCHELASTIC_RESTART_COUNT");
  return fmt::format("torch:{}@{}{}", known("TORCHELASTIC_RUN_ID"),
                     is_on_one_machine
                         ? identity_of(host, launcher)
                         : fmt::format("{}:{}:{}", known("MASTER_ADDR"), known("MASTER_PORT"),
                                       job_id(environment).value_or("")),
                     restarts.empty() || restarts == "0" ? "" : "#" + restarts);
}

// Whether the process was started with this in its environment; no where it is not ours to see.
bool began_with(int pid, const std::string& setting) {
  std::ifstream file(fmt::format("/proc/{}/environ", pid));
  for (std::string each; std::getline(file, each, '\0');) {
    if (each == setting) return true;
  }
  return false;
}

// The word after "--control-port" in a process's command line.
std::string control_port_of(int pid) {
  std::ifstream file(fmt::format("/proc/{}/cmdline", pid));
  bool is_next = false;
  for (std::string word; std::getline(file, word, '\0');) {
    if (is_next) return word;
    is_next = word == "--control-port";
  }
  return {};
}

}  // namespace

std::optional<std::string> own_environment(const char* name) {
  const char* value = std::getenv(name);
  if (value == nullptr || *value == '\0') return std::nullopt;
  return value;
}

std::optional<ProcessStart> process_start(int pid) {
  std::ifstream file(fmt::format("/proc/{}/stat", pid));
  std::string line;
  if (!std::getline(file, line)) return std::nullopt;
  // The command's name, in parentheses, may hold spaces and parentheses of its own.
  const std::size_t name_end = line.rfind(')');
  if (name_end == std::string::npos) return std::nullopt;
  std::istringstream fields(line.substr(name_end + 1));
  std::string skipped;
  ProcessStart start{.pid = pid};
  fields >> skipped >> start.parent;      // state is field 3
  constexpr int kFieldsBeforeStart = 17;  // the start time is field 22
  for (int i = 0; i < kFieldsBeforeStart; ++i) fields >> skipped;
  if (!(fields >> start.ticks_since_boot)) return std::nullopt;
  return start;
}

ProcessStart own_start() {
  const int pid = ::getpid();
  return process_start(pid).value_or(ProcessStart{.pid = pid});
}

LaunchedBy find_launcher(const std::string& setting) {
  // A shell or a wrapper script may stand between.
  constexpr int kMostBetween = 8;
  int pid = ::getppid();
  for (int i = 0; i < kMostBetween && !setting.empty() && began_with(pid, setting); ++i) {
    pid = process_start(pid).value_or(ProcessStart{}).parent;
  }
  LaunchedBy launcher{.start = process_start(pid).value_or(ProcessStart{.pid = pid})};
  pid = ::getppid();
  for (int i = 0; i < kMostBetween && pid > 1 && launcher.control_port.empty(); ++i) {
    launcher.control_port = control_port_of(pid);
    pid = process_start(pid).value_or(ProcessStart{}).parent;
  }
  return launcher;
}

std::string launch_identity(const Environment& environment, const std::string& host,
                            const LaunchedBy& launcher) {
  const auto rank = detect_rank(environment);
  if (rank && rank->launcher == "torchrun") {
    return torchrun_identity(environment, host, launcher.start);
  }
  constexpr std::string_view kMayBeOfHydra[] = {"hydra", "mvapich", "given"};
  const bool may_be_of_hydra =
      !rank || std::find(std::begin(kMayBeOfHydra), std::end(kMayBeOfHydra), rank->launcher) !=
                   std::end(kMayBeOfHydra);
  if (!launcher.control_port.empty() && may_be_of_hydra) {
    return fmt::format("hydra:{}", launcher.control_port);
  }
  if (step_of_ranks(environment, rank)) return "slurm:" + job_id(environment).value_or("");
  if (auto identity = identity_by(kLaunches, environment)) return *identity;
  if (auto identity = identity_by(kJobs, environment)) return *identity;
  return fmt::format("pid:{}", identity_of(host, launcher.start));
}

}  // namespace pyrometer

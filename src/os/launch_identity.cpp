#include "os/launch_identity.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <fstream>
#include <sstream>

namespace pyrometer {
namespace {

struct Scheme {
  const char* label;
  const char* first;
  const char* second;  // must be set too when named
};

// A step or namespace is one launch; a bare batch job may hold several, so those come last.
constexpr std::array<Scheme, 9> kSchemes{{
    {"slurm", "SLURM_JOB_ID", "SLURM_STEP_ID"},
    {"pmix", "PMIX_NAMESPACE", nullptr},
    {"flux", "FLUX_JOB_ID", nullptr},
    {"pals", "PALS_APID", nullptr},
    {"torch", "TORCHELASTIC_RUN_ID", nullptr},
    {"pbs", "PBS_JOBID", nullptr},
    {"lsf", "LSB_JOBID", nullptr},
    {"cobalt", "COBALT_JOBID", nullptr},
    {"sge", "JOB_ID", "SGE_ROOT"},
}};

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
  constexpr int kFieldsBeforeStart = 19;  // state is field 3, start time field 22
  for (int i = 0; i < kFieldsBeforeStart; ++i) fields >> skipped;
  ProcessStart start{.pid = pid};
  if (!(fields >> start.ticks_since_boot)) return std::nullopt;
  return start;
}

ProcessStart own_start() {
  const int pid = ::getpid();
  return process_start(pid).value_or(ProcessStart{.pid = pid});
}

ProcessStart parent_start() {
  const int pid = ::getppid();
  return process_start(pid).value_or(ProcessStart{.pid = pid});
}

std::string launch_identity(const Environment& environment, const std::string& host,
                            const ProcessStart& launcher) {
  for (const Scheme& scheme : kSchemes) {
    const auto first = environment(scheme.first);
    if (!first) continue;
    if (scheme.second == nullptr) return fmt::format("{}:{}", scheme.label, *first);
    if (const auto second = environment(scheme.second)) {
      return fmt::format("{}:{}.{}", scheme.label, *first, *second);
    }
  }
  return fmt::format("pid:{}:{}:{}", host, launcher.pid, launcher.ticks_since_boot);
}

}  // namespace pyrometer

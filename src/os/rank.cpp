#include "os/rank.h"

#include <algorithm>
#include <charconv>
#include <string_view>

namespace pyrometer {
namespace {

struct Launcher {
  const char* name;
  const char* rank;
  const char* size;
  const char* local_rank;
  const char* also[2];  // must be set too: the rank's variable alone proves nothing
};

// The first that fits counts. The launchers of MPI come before srun, because an sbatch script
// sets SLURM_PROCID to 0 and every rank that mpirun starts in it inherits that; srun's own
// ranks are known by their step.
constexpr Launcher kLaunchers[] = {
    {"given", "PYROMETER_RANK", "PYROMETER_SIZE", nullptr, {}},
    {"openmpi", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_RANK", {}},
    {"mvapich", "MV2_COMM_WORLD_RANK", "MV2_COMM_WORLD_SIZE", "MV2_COMM_WORLD_LOCAL_RANK", {}},
    {"hydra", "PMI_RANK", "PMI_SIZE", "MPI_LOCALRANKID", {}},
    {"hydra", "PMI_ID", "PMI_SIZE", "MPI_LOCALRANKID", {}},
    {"pals", "PALS_RANKID", nullptr, "PALS_LOCAL_RANKID", {}},
    {"alps", "ALPS_APP_PE", nullptr, nullptr, {}},
    {"jsrun", "JSM_NAMESPACE_RANK", "JSM_NAMESPACE_SIZE", "JSM_NAMESPACE_LOCAL_RANK", {}},
    {"flux", "FLUX_TASK_RANK", "FLUX_JOB_SIZE", "FLUX_TASK_LOCAL_ID", {}},
    {"pmix", "PMIX_RANK", nullptr, nullptr, {}},
    // RANK is a common name: only torchrun sets all three.
    {"torchrun", "RANK", "WORLD_SIZE", "LOCAL_RANK", {"LOCAL_RANK", "LOCAL_WORLD_SIZE"}},
    {"srun", "SLURM_PROCID", "SLURM_STEP_NUM_TASKS", "SLURM_LOCALID", {"SLURM_STEP_ID"}},
    {"poe", "MP_CHILD", "MP_PROCS", nullptr, {}},
};

struct Job {
  const char* id;
  const char* step;  // appended where it is set
  const char* also;  // must be set too
};
constexpr Job kJobs[] = {
    {"SLURM_JOB_ID", "SLURM_STEP_ID", nullptr},
    {"PBS_JOBID", nullptr, nullptr},
    {"LSB_JOBID", nullptr, nullptr},
    {"COBALT_JOBID", nullptr, nullptr},
    {"JOB_ID", nullptr, "SGE_ROOT"},  // a common name: only believed beside its batch system
    {"FLUX_JOB_ID", nullptr, nullptr},
    {"PMIX_NAMESPACE", nullptr, nullptr},
    {"TORCHELASTIC_RUN_ID", nullptr, nullptr},
};

// A number that is not one, or is negative, is as good as none.
std::optional<std::int32_t> read_number(const Environment& environment, const char* name) {
  if (name == nullptr) return std::nullopt;
  const auto text = environment(name);
  if (!text) return std::nullopt;
  std::int32_t number = 0;
  const char* end = text->data() + text->size();
  const auto [stop, error] = std::from_chars(text->data(), end, number);
  if (error != std::errc() || stop != end || number < 0) return std::nullopt;
  return number;
}

bool has_all(const Environment& environment, const Launcher& launcher) {
  return std::ranges::all_of(launcher.also, [&](const char* name) {
    return name == nullptr || environment(name).has_value();
  });
}

// srun starts ranks for other launchers' libraries, too; what those do not say, it does. Only where
// both mean the same rank: a step may hold another launcher.
void complete_from_srun(const Environment& environment, Rank& rank) {
  if (!environment("SLURM_STEP_ID") || read_number(environment, "SLURM_PROCID") != rank.rank)
    return;
  const std::int32_t size = read_number(environment, "SLURM_STEP_NUM_TASKS").value_or(0);
  if (rank.size == 0 && size > rank.rank) rank.size = size;
  if (rank.local_rank < 0) rank.local_rank = read_number(environment, "SLURM_LOCALID").value_or(-1);
}

}  // namespace

std::optional<Rank> detect_rank(const Environment& environment) {
  for (const Launcher& launcher : kLaunchers) {
    const auto rank = read_number(environment, launcher.rank);
    if (!rank || !has_all(environment, launcher)) continue;
    const std::int32_t size = read_number(environment, launcher.size).value_or(0);
    Rank found{.rank = *rank,
               .size = size > *rank ? size : 0,
               .local_rank = read_number(environment, launcher.local_rank).value_or(-1),
               .launcher = launcher.name};
    if (found.launcher != "given") complete_from_srun(environment, found);
    return found;
  }
  return std::nullopt;
}

std::optional<std::string> job_id(const Environment& environment) {
  for (const Job& job : kJobs) {
    auto id = environment(job.id);
    if (!id || (job.also != nullptr && !environment(job.also))) continue;
    if (job.step != nullptr) {
      if (const auto step = environment(job.step)) *id += "." + *step;
    }
    return id;
  }
  return std::nullopt;
}

}  // namespace pyrometer

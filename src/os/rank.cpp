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
  const char* also[3];  // must be set too: the rank's variable alone proves nothing
};

// The first that fits counts. The launchers of MPI come before srun, because an sbatch script
// sets SLURM_PROCID to 0 and every rank that mpirun starts in it inherits that; srun's own
// ranks are known by their step. torchrun comes before them all where it is surely that: it is
// started once a node by a launcher of MPI, whose variables its workers inherit.
constexpr Launcher kLaunchers[] = {
    {"given", "PYROMETER_RANK", "PYROMETER_SIZE", nullptr, {}},
    {"torchrun",
     "RANK",
     "WORLD_SIZE",
     "LOCAL_RANK",
     {"LOCAL_RANK", "LOCAL_WORLD_SIZE", "TORCHELASTIC_RUN_ID"}},
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
  const char* also;  // must be set too
};
constexpr Job kJobs[] = {
    {"PBS_JOBID", nullptr},   {"LSB_JOBID", nullptr},      {"COBALT_JOBID", nullptr},
    {"JOB_ID", "SGE_ROOT"},  // a common name: only believed beside its batch system
    {"FLUX_JOB_ID", nullptr}, {"PMIX_NAMESPACE", nullptr}, {"TORCHELASTIC_RUN_ID", nullptr},
};

constexpr std::string_view kNamespacesOfSlurm = "slurm.pmix.";

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

// The step this process is in. Batch scripts and the shells of salloc are in steps of Slurm's own,
// which run many programs one by one.
std::optional<std::string> find_step(const Environment& environment) {
  constexpr std::uint64_t kFirstOfItsOwn = 0xfffffff0;
  auto step = environment("SLURM_STEP_ID");
  if (!step) return std::nullopt;
  std::uint64_t number = 0;
  std::from_chars(step->data(), step->data() + step->size(), number);
  return number < kFirstOfItsOwn ? step : std::nullopt;
}

// srun starts ranks for other launchers' libraries, too; what those do not say, it does. Only where
// both mean the same rank: a step may hold another launcher.
void complete_from_srun(const Environment& environment, Rank& rank) {
  if (!find_step(environment) || read_number(environment, "SLURM_PROCID") != rank.rank) return;
  const std::int32_t size = read_number(environment, "SLURM_STEP_NUM_TASKS").value_or(0);
  if (rank.size == 0 && size > rank.rank) rank.size = size;
  if (rank.local_rank < 0) rank.local_rank = read_number(environment, "SLURM_LOCALID").value_or(-1);
}

}  // namespace

std::optional<Rank> detect_rank(const Environment& environment) {
  for (const Launcher& launcher : kLaunchers) {
    const auto rank = read_number(environment, launcher.rank);
    if (!rank || !has_all(environment, launcher)) continue;
    if (launcher.name == std::string_view("srun") && !find_step(environment)) continue;
    const std::int32_t size = read_number(environment, launcher.size).value_or(0);
    Rank found{.rank = *rank,
               .size = size > *rank ? size : 0,
               .local_rank = read_number(environment, launcher.local_rank).value_or(-1),
               .launcher = launcher.name,
               .variable = launcher.rank};
    if (found.launcher != "given") complete_from_srun(environment, found);
    return found;
  }
  return std::nullopt;
}

std::optional<std::string> step_of_ranks(const Environment& environment,
                                         const std::optional<Rank>& rank) {
  auto step = find_step(environment);
  if (!step || !rank || rank->launcher == "srun") return step;
  if (rank->launcher == "torchrun") return std::nullopt;
  if (const auto name = environment("PMIX_NAMESPACE")) {
    return name->starts_with(kNamespacesOfSlurm) ? step : std::nullopt;
  }
  if (rank->launcher == "given") return step;
  // srun speaks the languages of others' libraries, too: then both count the same.
  const auto size = read_number(environment, "SLURM_STEP_NUM_TASKS");
  const bool is_same = read_number(environment, "SLURM_PROCID") == rank->rank &&
                       (rank->size == 0 || size == rank->size);
  return is_same ? step : std::nullopt;
}

std::optional<std::string> job_id(const Environment& environment) {
  if (auto id = environment("SLURM_JOB_ID")) {
    if (const auto step = step_of_ranks(environment, detect_rank(environment))) *id += "." + *step;
    const auto restarts = read_number(environment, "SLURM_RESTART_COUNT").value_or(0);
    if (restarts > 0) *id += "-restart" + std::to_string(restarts);
    return id;
  }
  for (const Job& job : kJobs) {
    auto id = environment(job.id);
    if (id && (job.also == nullptr || environment(job.also))) return id;
  }
  return std::nullopt;
}

}  // namespace pyrometer

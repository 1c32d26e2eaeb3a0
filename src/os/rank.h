// Which part of a parallel launch this process is, from the launcher's environment and
// before MPI starts, if it ever does. Children of a rank inherit its variables: a rank is
// a label, host and pid are the identity.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "os/launch_identity.h"

namespace pyrometer {

struct Rank {
  std::int32_t rank = 0;
  std::int32_t size = 0;         // 0: the launcher does not say
  std::int32_t local_rank = -1;  // on this machine; -1: the launcher does not say
  std::string launcher;          // "openmpi", "hydra", "srun", ...
};

// Nothing without a launcher.
std::optional<Rank> detect_rank(const Environment& environment);

// The batch system's name for the job: "4711", with Slurm's step "4711.0".
std::optional<std::string> job_id(const Environment& environment);

}  // namespace pyrometer

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
  std::string variable = {};     // that says the rank: all that the launcher started have it
};

// Nothing without a launcher.
std::optional<Rank> detect_rank(const Environment& environment);

// Slurm's step, where srun itself started the ranks. Nothing inside another launcher's ranks: that
// may be one of several in a step, and on some nodes only it may stand in one.
std::optional<std::string> step_of_ranks(const Environment& environment,
                                         const std::optional<Rank>& rank);

// The batch system's name for the job: "4711", with Slurm's step "4711.0"; the same in all ranks of
// a launch. A job that was put back into the queue begins anew: "4711.0-restart1".
std::optional<std::string> job_id(const Environment& environment);

}  // namespace pyrometer

// Whether a merge is one of several processes that an MPI launcher started, and what its part is.
#pragma once

#include <memory>

#include "base/result.h"
#include "merge/team.h"

namespace pyrometer {

struct MergePart {
  std::unique_ptr<Team> team;  // none: this process merges alone
  unsigned workers = 0;        // threads that leave the neighbours theirs; 0: all cores
  bool is_idle = false;        // another process merges alone
};

// Where the processes of a launch cannot speak to each other, the first one says so and works
// alone.
MergePart join_merge(bool use_mpi);

}  // namespace pyrometer

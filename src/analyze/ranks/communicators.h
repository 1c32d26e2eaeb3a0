// How many ranks belong to the communicators that each line calls MPI with.
#pragma once

#include <cstdint>
#include <vector>

#include "analyze/ranks/rank_items.h"

namespace pyrometer {

struct Communicators {
  Communicators(const RankItems& items, const std::vector<MpiCalls>& calls);

  std::vector<std::uint32_t> smallest, largest;  // by row of RankItems::sites; 0: unknown, or none
};

}  // namespace pyrometer

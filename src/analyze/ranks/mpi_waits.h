// Where ranks wait for each other, and for whom: the rank that waits least is the one that comes
// last, and the line it spends more time at than the others is the likely reason.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "analyze/ranks/rank_facts.h"

namespace pyrometer {

struct Culprit {
  std::uint32_t rank = 0;  // row
  std::uint32_t line = 0;  // row of RankItems::lines
  double excess = 0;       // ns that the rank spends there beyond the mean of the others
};

struct MpiSiteCost {
  std::uint32_t site = 0;  // row of RankItems::sites
  std::int64_t calls = 0;
  std::int64_t bytes = 0;
  double time = 0;   // ns, of all ranks
  double wait = 0;   // of that, waiting for others
  double share = 0;  // the waiting, of the wall time of all ranks
  std::optional<Culprit> culprit = {};
};

// By waiting, then by time. Culprits of the first few only, as each takes a look at all lines.
std::vector<MpiSiteCost> find_mpi_sites(const RankFacts& facts);

}  // namespace pyrometer

// Hosts on which the same lines take longer than elsewhere.
#pragma once

#include <cstdint>
#include <vector>

#include "analyze/ranks/rank_facts.h"

namespace pyrometer {

struct SlowHost {
  std::uint32_t host = 0;  // row of RankList::hosts
  double factor = 1;       // how many times as long
  std::size_t lines = 0;   // that were compared
};

std::vector<SlowHost> find_slow_hosts(const RankFacts& facts);

}  // namespace pyrometer

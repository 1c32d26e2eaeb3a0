// Ranks that hardly worked, and what they cost.
#pragma once

#include <cstdint>
#include <vector>

#include "analyze/ranks/rank_list.h"

namespace pyrometer {

inline constexpr double kIdleBelow = 0.2;  // of the useful time of the busiest rank

struct IdleRanks {
  std::vector<std::uint32_t> ranks;  // rows
  double core_hours = 0;             // of the job that they did not work in
};

IdleRanks find_idle_ranks(const RankList& list);

}  // namespace pyrometer

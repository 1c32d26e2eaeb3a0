#include "analyze/ranks/idle_ranks.h"

#include <algorithm>

namespace pyrometer {
namespace {

constexpr double kNanosecondsPerHour = 3600e9;

}  // namespace

IdleRanks find_idle_ranks(const RankList& list) {
  IdleRanks idle;
  for (std::size_t i = 0; i < list.ranks.size(); ++i) {
    const auto useful = static_cast<double>(list.ranks[i].useful);
    if (useful >= kIdleBelow * static_cast<double>(list.busiest)) continue;
    idle.ranks.push_back(static_cast<std::uint32_t>(i));
    idle.core_hours +=
        std::max(0.0, static_cast<double>(list.job_time()) - useful) / kNanosecondsPerHour;
  }
  return idle;
}

}  // namespace pyrometer

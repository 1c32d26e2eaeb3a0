// Ranks that were paid for and hardly worked.
#include <fmt/format.h>

#include "analyze/findings/findings.h"
#include "analyze/ranks/idle_ranks.h"
#include "analyze/ranks/rank_words.h"
#include "base/format_value.h"

namespace pyrometer {
namespace {

constexpr double kLeastWork = 0.02;  // of the wall time, by the busiest: else nobody works

// Jobs of seconds are for trying things out.
std::string cost_words(double core_hours) {
  constexpr double kSecondsPerHour = 3600;
  if (core_hours >= 0.1) return fmt::format("{:.1f} core-hours", core_hours);
  return fmt::format("{:.1f} core-seconds", core_hours * kSecondsPerHour);
}

}  // namespace

std::vector<Finding> find_idle_rank_time(const Overview& overview) {
  if (!overview.ranks) return {};
  const RankList& list = overview.ranks->list;
  if (static_cast<double>(list.busiest) < kLeastWork * static_cast<double>(list.wall)) return {};
  const IdleRanks idle = find_idle_ranks(list);
  if (idle.ranks.empty()) return {};
  const double share =
      static_cast<double>(idle.ranks.size()) / static_cast<double>(list.ranks.size());
  const bool is_one = idle.ranks.size() == 1;
  return {{Finding::Kind::kHot, "idle-ranks",
           fmt::format("{} of {} {} idle ({}): {} less than a fifth of what the busiest "
                       "rank works, {} unused.",
                       format_count(static_cast<std::int64_t>(idle.ranks.size())),
                       format_plural(list.ranks.size(), "rank", "ranks"), is_one ? "is" : "are",
                       rank_ranges(list, idle.ranks), is_one ? "it works" : "they work",
                       cost_words(idle.core_hours)),
           share, FunctionId::none(), 0,
           "useful time of " + format_plural(list.ranks.size(), "rank", "ranks")}};
}

}  // namespace pyrometer

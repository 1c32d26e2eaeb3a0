// Ranks that the launcher started but that left no recording.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "analyze/findings/findings.h"

namespace pyrometer {

std::vector<Finding> find_missing_ranks(const Overview& overview) {
  std::int64_t size = 0;
  std::set<std::int64_t> present;
  for (const Process& process : overview.profile.processes) {
    size = std::max(size, process.world_size);
    if (process.rank >= 0) present.insert(process.rank);
  }
  const auto missing = size - static_cast<std::int64_t>(present.size());
  if (present.empty() || missing <= 0) return {};
  std::int64_t first = 0;
  while (present.contains(first)) ++first;
  return {
      {Finding::Kind::kWarning, "missing-ranks",
       fmt::format("{} of {} ranks left no recording (first: rank {}).", missing, size, first)}};
}

}  // namespace pyrometer

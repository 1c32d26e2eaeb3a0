// Ranks that the launcher started and the user wanted, but that left no recording.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include "analyze/findings/findings.h"
#include "base/rank_set.h"

namespace pyrometer {
namespace {

// What --ranks chose; nothing where all were to be recorded. The last value counts, as of all
// attributes.
std::optional<RankSet> wanted_ranks(const Profile& profile) {
  std::optional<RankSet> wanted;
  for (const auto& [name, value] : profile.processes.front().attributes) {
    if (name != "ranks") continue;
    if (auto ranks = RankSet::parse(value)) wanted = *std::move(ranks);
  }
  return wanted;
}

}  // namespace

std::vector<Finding> find_missing_ranks(const Overview& overview) {
  std::int64_t size = 0;
  std::set<std::int64_t> present;
  for (const Process& process : overview.profile.processes) {
    size = std::max(size, process.world_size);
    if (process.rank >= 0) present.insert(process.rank);
  }
  if (present.empty()) return {};
  const auto wanted = wanted_ranks(overview.profile);
  std::int64_t expected = 0;
  std::int64_t missing = 0;
  std::int64_t first = 0;
  for (std::int64_t rank = 0; rank < size; ++rank) {
    if (wanted && !wanted->contains(rank)) continue;
    ++expected;
    if (!present.contains(rank) && missing++ == 0) first = rank;
  }
  if (missing == 0) return {};
  return {{Finding::Kind::kWarning, "missing-ranks",
           fmt::format("{} of {} ranks left no recording (first: rank {}).", missing, expected,
                       first)}};
}

}  // namespace pyrometer

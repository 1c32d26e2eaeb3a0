// A rank that needs much more memory than the others.
#include <fmt/format.h>

#include "analyze/findings/findings.h"
#include "analyze/memory/memory_spread.h"
#include "base/format_value.h"

namespace pyrometer {
namespace {

constexpr double kLeastFactor = 1.25;
constexpr double kMuch = 100'000'000;  // bytes beyond the mean

}  // namespace

std::vector<Finding> find_uneven_memory(const Overview& overview) {
  const Profile& profile = overview.profile;
  const MemorySpread spread = spread_of_memory(profile, make_memory_facts(profile));
  const AcrossRanks& peak = spread.peak();
  if (!spread.is_of_ranks || peak.ranks < 2) return {};
  const double mean = peak.mean(peak.ranks);
  const double factor = peak.imbalance(peak.ranks);
  if (factor < kLeastFactor || peak.cost(peak.ranks) < kMuch) return {};
  const ProcessId highest = spread.processes[peak.maximum_rank];
  return {
      {Finding::Kind::kHint,
       "uneven-memory",
       fmt::format("Memory is spread unevenly: rank {} peaks at {}{}, the mean is {} (imbalance "
                   "{:.2f}); every host needs room for as much as the largest rank takes.",
                   profile.processes[highest.row()].rank, format_value(Unit::kBytes, peak.maximum),
                   &peak == &spread.heap ? " of heap" : " resident",
                   format_value(Unit::kBytes, static_cast<std::int64_t>(mean)), factor),
       0,
       {},
       0,
       format_plural(peak.ranks, "rank", "ranks")}};
}

}  // namespace pyrometer

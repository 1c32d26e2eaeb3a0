// Much more memory that comes and goes at once than is ever needed.
#include <fmt/format.h>

#include "analyze/findings/findings.h"
#include "analyze/memory/memory_words.h"
#include "base/format_value.h"

namespace pyrometer {
namespace {

constexpr std::int64_t kMuch = 1'000'000'000;
constexpr std::int64_t kTimesPeak = 10;

}  // namespace

std::vector<Finding> find_memory_churn(const Overview& overview) {
  const Profile& profile = overview.profile;
  if (!profile.find_metric(metric::kTemporary) || !profile.find_metric(metric::kPeak)) return {};
  std::vector<MemorySite> sites = memory_sites(profile, MemoryUnit::kLine);
  MemoryFigures all;
  for (const MemorySite& site : sites) all += site.figures;
  sort_by(sites, &MemoryFigures::temporary);
  if (all.temporary < kMuch || all.temporary / kTimesPeak < all.peak || sites.empty()) return {};
  const MemorySite& first = sites.front();
  return {{Finding::Kind::kHint, "memory-churn",
           fmt::format("{} were allocated and freed again at once, {} by {}: reuse buffers, or "
                       "compute in place (out=, +=).",
                       format_value(Unit::kBytes, all.temporary),
                       format_value(Unit::kBytes, first.figures.temporary),
                       site_words(profile, first, &MemoryFigures::temporary)),
           0, first.place.function, first.place.line,
           fmt::format("{} allocations", format_count(first.figures.allocations))}};
}

}  // namespace pyrometer

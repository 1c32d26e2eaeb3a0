// Memory that was asked for and never used.
#include <fmt/format.h>

#include "analyze/findings/findings.h"
#include "analyze/memory/memory_words.h"
#include "base/format_value.h"

namespace pyrometer {
namespace {

constexpr std::int64_t kMuch = 100'000'000;

}  // namespace

std::vector<Finding> find_untouched_memory(const Overview& overview) {
  const Profile& profile = overview.profile;
  if (!profile.find_metric(metric::kUntouched)) return {};
  std::vector<MemorySite> sites = memory_sites(profile, MemoryUnit::kLine);
  std::int64_t untouched = 0;
  for (const MemorySite& site : sites) untouched += site.figures.untouched;
  sort_by(sites, &MemoryFigures::untouched);
  if (untouched < kMuch || sites.empty()) return {};
  const MemorySite& first = sites.front();
  return {{Finding::Kind::kHint, "untouched-memory",
           fmt::format("{} of live memory were never touched, {} of {}: they count as heap and are "
                       "not resident.",
                       format_value(Unit::kBytes, untouched),
                       format_value(Unit::kBytes, first.figures.untouched),
                       site_words(profile, first, &MemoryFigures::untouched)),
           0, first.place.function, first.place.line}};
}

}  // namespace pyrometer

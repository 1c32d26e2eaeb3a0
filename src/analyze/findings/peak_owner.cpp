// One line that held most of what the program had at its peak, and used it: the kernel gives no
// memory to pages that were never touched.
#include <fmt/format.h>

#include "analyze/findings/findings.h"
#include "analyze/memory/memory_words.h"
#include "base/format_value.h"

namespace pyrometer {
namespace {

constexpr std::int64_t kLargePeak = 100'000'000;
constexpr double kDominant = 0.40;

}  // namespace

std::vector<Finding> find_peak_owner(const Overview& overview) {
  const Profile& profile = overview.profile;
  if (!profile.find_metric(metric::kPeak)) return {};
  std::vector<MemorySite> sites = memory_sites(profile, MemoryUnit::kLine);
  std::int64_t peak = 0;
  for (const MemorySite& site : sites) peak += site.figures.peak;
  sort_by(sites, &MemoryFigures::peak);
  if (peak < kLargePeak || sites.empty()) return {};
  const MemorySite& first = sites.front();
  const double share = static_cast<double>(first.figures.peak) / static_cast<double>(peak);
  const std::int64_t touched = first.figures.peak - first.figures.untouched;
  if (static_cast<double>(touched) / static_cast<double>(peak) < kDominant) return {};
  return {{Finding::Kind::kHint, "peak-owner",
           fmt::format("{:.0f} % of {} of {} {} held by {}: it decides how much memory the program "
                       "needs.",
                       100 * share, profile.processes.size() == 1 ? "the peak" : "the peaks",
                       format_value(Unit::kBytes, peak),
                       profile.processes.size() == 1 ? "is" : "together is",
                       site_words(profile, first, &MemoryFigures::peak)),
           0, first.place.function, first.place.line,
           format_value(Unit::kBytes, first.figures.peak)}};
}

}  // namespace pyrometer

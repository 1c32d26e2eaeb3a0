#include "analyze/time_windows.h"

#include <algorithm>
#include <limits>

namespace pyrometer {
namespace {

constexpr std::int64_t kFirst = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kLast = std::numeric_limits<std::int64_t>::max();

}  // namespace

TimeWindows::TimeWindows(const Profile& profile, const ProfileClock& clock, const ViewScope& scope,
                         ThreadId thread) {
  const std::int64_t offset = clock.offset(profile, thread);
  const Window range{scope.from == kFirst ? kFirst : scope.from - offset,
                     scope.to == kLast ? kLast : scope.to - offset};
  if (range.begin >= range.end) return;
  if (!scope.region) {
    windows_.push_back(range);
    return;
  }
  std::vector<Window> regions;
  for (const Region& region : profile.regions) {
    if (region.thread != thread || region.name != *scope.region) continue;
    const Window cut{std::max(range.begin, region.start),
                     std::min(range.end, region.start + region.duration)};
    if (cut.begin < cut.end) regions.push_back(cut);
  }
  std::sort(regions.begin(), regions.end(),
            [](const Window& a, const Window& b) { return a.begin < b.begin; });
  for (const Window& region : regions) {
    if (!windows_.empty() && region.begin <= windows_.back().end) {
      windows_.back().end = std::max(windows_.back().end, region.end);
    } else {
      windows_.push_back(region);
    }
  }
}

double TimeWindows::part_inside(std::int64_t begin, std::int64_t end) const {
  auto window = std::upper_bound(windows_.begin(), windows_.end(), begin,
                                 [](std::int64_t time, const Window& w) { return time < w.end; });
  if (window == windows_.end() || window->begin > end) return 0;
  if (window->begin <= begin && end <= window->end) return 1;
  std::int64_t inside = 0;
  for (; window != windows_.end() && window->begin < end; ++window) {
    inside += std::min(end, window->end) - std::max(begin, window->begin);
  }
  return begin == end ? 0 : static_cast<double>(inside) / static_cast<double>(end - begin);
}

}  // namespace pyrometer

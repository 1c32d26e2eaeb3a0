// When one thread counts in a scope: a range of time, or the parts of it that lie in regions.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "analyze/time_tracks.h"
#include "analyze/view_scope.h"
#include "profile/profile.h"

namespace pyrometer {

class TimeWindows {
 public:
  TimeWindows(const Profile& profile, const ProfileClock& clock, const ViewScope& scope,
              ThreadId thread);

  bool is_empty() const { return windows_.empty(); }
  // How much of a stretch lies inside, from 0 to 1; times are the process's own.
  double part_inside(std::int64_t begin, std::int64_t end) const;

 private:
  struct Window {
    std::int64_t begin = 0, end = 0;
  };
  std::vector<Window> windows_;  // by time, apart from each other
};

// visit(node, how much of it lies inside, one value per metric) for every stretch that does.
template <class Visit>
void for_each_part(const TimeTrack& track, const TimeWindows& windows, Visit visit) {
  for_each_stretch(track, [&](std::int64_t begin, std::int64_t end, NodeId node,
                              std::span<const std::int64_t> values) {
    const double part = windows.part_inside(begin, end);
    if (part > 0) visit(node, part, values);
  });
}

inline std::int64_t share_of(std::int64_t value, double part) {
  return part < 1 ? std::llround(part * static_cast<double>(value)) : value;
}

}  // namespace pyrometer

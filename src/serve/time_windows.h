// When one thread counts in a scope: a range of time, or the parts of it that lie in regions.
#pragma once

#include <cstdint>
#include <vector>

#include "profile/profile.h"
#include "serve/scope.h"
#include "serve/time_tracks.h"

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

}  // namespace pyrometer

// The stretch of time that a plot of memory shows.
#pragma once

#include <cstdint>

#include "profile/timed_values.h"

namespace pyrometer {

// In ns since the beginning of all time; the end is after the begin.
struct MemoryWindow {
  std::int64_t begin = 0;
  std::int64_t end = 0;
};

// The part of a curve that is in the window; where the curve crosses its edges, there are points.
TimedValues points_within(const TimedValues& points, const MemoryWindow& window);

}  // namespace pyrometer

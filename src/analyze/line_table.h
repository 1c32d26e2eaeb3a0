// What each source line cost: derived from positions, joined with exact line values where
// an engine measured those.
#pragma once

#include <cstdint>
#include <vector>

#include "profile/profile.h"

namespace pyrometer {

struct LineCost {
  FunctionId function;
  std::uint32_t line = 0;
  std::int64_t own = 0;    // of the line alone
  std::int64_t self = 0;   // of the line, and of native code and waits in it, which have no lines
  std::int64_t total = 0;  // with what the line calls, recursion counted once
  std::int64_t hits = 0;
  std::int64_t samples = 0;
};

// Lines with any value, by function, then line. Positions without a line are left out.
std::vector<LineCost> make_line_table(const Profile& profile, MetricId metric);

}  // namespace pyrometer

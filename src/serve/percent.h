// A share as sentences have it: whole percent, never more than all of it.
#pragma once

#include <algorithm>
#include <cmath>

namespace pyrometer {

inline int percent(double share) {
  return static_cast<int>(std::lround(100 * std::clamp(share, 0.0, 1.0)));
}

}  // namespace pyrometer

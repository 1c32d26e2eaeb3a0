// When totals that are written again and again are written next. A pause is as large a part of the
// time that has passed as the last piece is of what all pieces may take: so there are the fewer of
// them the larger they are, and their sum grows with the logarithm of the time only.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace pyrometer {

class WritePace {
 public:
  // Times in ns. `most` bytes are not reached within a year and a half.
  WritePace(std::int64_t started, std::int64_t most) : started_(started), most_(most) {}

  bool is_due(std::int64_t now) const { return now >= next_; }
  void wrote(std::int64_t now, std::size_t bytes, std::int64_t shortest_pause) {
    constexpr double kLongest = 20;  // logarithm of a year and a half in tenths of a second
    const double share = static_cast<double>(bytes) * kLongest / static_cast<double>(most_);
    const auto pause = static_cast<std::int64_t>(static_cast<double>(now - started_) * share);
    next_ = now + std::max(pause, shortest_pause);
  }

 private:
  std::int64_t started_, most_, next_ = 0;
};

}  // namespace pyrometer

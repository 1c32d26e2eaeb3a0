// A counter over time with no more points than a picture can show.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace pyrometer {

using CounterPoint = std::pair<std::int64_t, std::int64_t>;  // time, value

// The points from `from` to `to` with the ones just outside; of more than 4,000 the smallest and
// the largest of each stretch, so that no peak is lost.
std::vector<CounterPoint> thin_out(std::span<const CounterPoint> points, std::int64_t from,
                                   std::int64_t to);

}  // namespace pyrometer

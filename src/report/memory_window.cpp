#include "report/memory_window.h"

#include <algorithm>
#include <cmath>

namespace pyrometer {
namespace {

TimedValue point_between(const TimedValue& before, const TimedValue& after, std::int64_t time) {
  const double share =
      static_cast<double>(time - before.first) / static_cast<double>(after.first - before.first);
  const double level = static_cast<double>(before.second) +
                       share * static_cast<double>(after.second - before.second);
  return {time, std::llround(level)};
}

}  // namespace

TimedValues points_within(const TimedValues& points, const MemoryWindow& window) {
  const auto first = std::lower_bound(
      points.begin(), points.end(), window.begin,
      [](const TimedValue& point, std::int64_t time) { return point.first < time; });
  const auto stop = std::upper_bound(
      first, points.end(), window.end,
      [](std::int64_t time, const TimedValue& point) { return time < point.first; });
  TimedValues within;
  const bool crosses_begin =
      first != points.begin() && first != points.end() && first->first != window.begin;
  if (crosses_begin) within.push_back(point_between(*std::prev(first), *first, window.begin));
  within.insert(within.end(), first, stop);
  const bool crosses_end =
      stop != points.begin() && stop != points.end() && std::prev(stop)->first != window.end;
  if (crosses_end) within.push_back(point_between(*std::prev(stop), *stop, window.end));
  return within;
}

}  // namespace pyrometer

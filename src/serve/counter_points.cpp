#include "serve/counter_points.h"

#include <algorithm>

namespace pyrometer {
namespace {

constexpr std::size_t kMostPoints = 4000;

bool is_earlier(const CounterPoint& a, const CounterPoint& b) { return a.first < b.first; }
bool is_smaller(const CounterPoint& a, const CounterPoint& b) { return a.second < b.second; }

}  // namespace

std::vector<CounterPoint> thin_out(std::span<const CounterPoint> points, std::int64_t from,
                                   std::int64_t to) {
  std::vector<CounterPoint> seen(points.begin(), points.end());
  std::stable_sort(seen.begin(), seen.end(), is_earlier);
  auto begin = std::lower_bound(seen.begin(), seen.end(), CounterPoint{from, 0}, is_earlier);
  auto end = std::upper_bound(begin, seen.end(), CounterPoint{to, 0}, is_earlier);
  if (begin != seen.begin()) --begin;
  if (end != seen.end()) ++end;
  seen = std::vector<CounterPoint>(begin, end);
  if (seen.size() <= kMostPoints) return seen;
  std::vector<CounterPoint> kept;
  constexpr std::size_t kStretches = kMostPoints / 2;
  for (std::size_t i = 0; i < kStretches; ++i) {
    const auto at = [&](std::size_t stretch) {
      return seen.begin() + static_cast<std::ptrdiff_t>(stretch * seen.size() / kStretches);
    };
    auto [smallest, largest] = std::minmax_element(at(i), at(i + 1), is_smaller);
    if (largest < smallest) std::swap(smallest, largest);
    kept.push_back(*smallest);
    if (largest != smallest) kept.push_back(*largest);
  }
  return kept;
}

}  // namespace pyrometer

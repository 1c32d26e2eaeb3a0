#include "profile/timed_values.h"

#include <algorithm>

namespace pyrometer {
namespace {

bool is_earlier(const TimedValue& a, const TimedValue& b) { return a.first < b.first; }
bool is_smaller(const TimedValue& a, const TimedValue& b) { return a.second < b.second; }

}  // namespace

void sort_by_time(TimedValues& values) {
  std::stable_sort(values.begin(), values.end(), is_earlier);
}

std::int64_t value_at(std::span<const TimedValue> values, std::int64_t time) {
  const auto after =
      std::upper_bound(values.begin(), values.end(), TimedValue{time, 0}, is_earlier);
  return after == values.begin() ? 0 : std::prev(after)->second;
}

TimedValues thin_out(std::span<const TimedValue> values, std::size_t most) {
  if (values.size() <= most) return {values.begin(), values.end()};
  const __int128 begin = values.front().first;
  const __int128 length = values.back().first - begin + 1;
  const std::size_t stretches = most < 6 ? 1 : (most - 2) / 2;
  const auto stretch_of = [&](const TimedValue& value) {
    return static_cast<std::size_t>((value.first - begin) * stretches / length);
  };
  TimedValues kept{values.front()};
  auto last = values.begin();
  const auto keep = [&](auto value) {
    if (value <= last) return;
    kept.push_back(*value);
    last = value;
  };
  for (auto first = values.begin(); first != values.end();) {
    const auto end = std::find_if(first, values.end(), [&](const TimedValue& value) {
      return stretch_of(value) != stretch_of(*first);
    });
    const auto [smallest, largest] = std::minmax_element(first, end, is_smaller);
    keep(std::min(smallest, largest));
    keep(std::max(smallest, largest));
    first = end;
  }
  keep(std::prev(values.end()));
  return kept;
}

void TimedSum::add(TimedValues values) {
  sort_by_time(values);
  std::int64_t before = 0;
  for (const auto& [time, value] : values) {
    changes_.emplace_back(time, value - before);
    before = value;
  }
}

TimedValues TimedSum::take() {
  sort_by_time(changes_);
  TimedValues sums;
  std::int64_t sum = 0;
  for (const auto& [time, change] : changes_) {
    sum += change;
    if (!sums.empty() && sums.back().first == time) sums.pop_back();
    sums.emplace_back(time, sum);
  }
  changes_.clear();
  return sums;
}

}  // namespace pyrometer

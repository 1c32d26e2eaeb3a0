// Values over time, in the order of time; each holds until the next one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace pyrometer {

using TimedValue = std::pair<std::int64_t, std::int64_t>;  // time, value
using TimedValues = std::vector<TimedValue>;

void sort_by_time(TimedValues& values);

// What holds at `time`; 0 before the first.
std::int64_t value_at(std::span<const TimedValue> values, std::int64_t time);

// Of more than `most`: the first, the last, and the smallest and the largest of each stretch of
// time, so that no peak is lost. Up to `most` all are kept, so that doing it again changes nothing.
TimedValues thin_out(std::span<const TimedValue> values, std::size_t most);

// Adds values of several up: what all have at each time that any of them changes.
class TimedSum {
 public:
  // In any order.
  void add(TimedValues values);
  TimedValues take();

 private:
  TimedValues changes_;
};

}  // namespace pyrometer

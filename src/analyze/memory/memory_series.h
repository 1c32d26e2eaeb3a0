// Memory over time, of each process and of all together, on one scale of time.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "profile/profile.h"
#include "profile/timed_values.h"

namespace pyrometer {

struct MemorySeries {
  enum class Kind : std::uint8_t { kResident, kHeap };
  ProcessId process;  // none: all together
  Kind kind = Kind::kResident;
  TimedValues points = {};  // ns since the beginning, bytes
};

constexpr std::string_view name_of(MemorySeries::Kind kind) {
  return kind == MemorySeries::Kind::kHeap ? "heap" : "resident";
}

// Those with points, by process; in the order of time.
std::vector<MemorySeries> memory_series(const Profile& profile);

// Null when there is none.
const MemorySeries* find_series(const std::vector<MemorySeries>& series, ProcessId process,
                                MemorySeries::Kind kind);

// The sum at each time: a process counts from its first value to its last.
MemorySeries series_together(const std::vector<MemorySeries>& series, MemorySeries::Kind kind);

// A level and when it was reached, in ns since the first process began.
struct MemoryPeak {
  std::int64_t bytes = 0;
  std::optional<std::int64_t> time = {};
};

// Nothing where there are no points, or no series.
std::optional<MemoryPeak> highest_of(const MemorySeries* series);

// The straight line that is closest to a series.
struct MemoryTrend {
  double start = 0;  // bytes at the beginning of all time
  double slope = 0;  // bytes per second
};
std::optional<MemoryTrend> trend_of(const MemorySeries& series);

}  // namespace pyrometer

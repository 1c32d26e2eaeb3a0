// What counters over time and regions say in a few numbers: where memory peaked, and what each
// function added.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "profile/profile.h"

namespace pyrometer {

struct CounterPeak {
  std::int64_t value = 0;
  std::int64_t time = 0;  // ns since 1970, or since the process began where that is unknown
};

struct CounterSummary {
  ProcessId process;
  StringId name;
  Unit unit = Unit::kCount;
  CounterPeak peak;
  std::int64_t first = 0;
  std::int64_t last = 0;
  std::size_t points = 0;
};

struct RegionSummary {
  ProcessId process;
  StringId name;
  std::size_t calls = 0;
  std::int64_t duration = 0;   // ns, over all calls
  std::int64_t increment = 0;  // over all calls
  std::int64_t largest = 0;    // of one call
  // Of the counter at the first beginning and at the last end, where that was recorded.
  std::optional<std::int64_t> before, after;
};

struct CounterOverview {
  std::vector<CounterSummary> counters;  // by process
  std::vector<RegionSummary> regions;    // the largest increment first
  std::optional<CounterPeak> together;   // of memory over all processes, when there are several
  std::int64_t begin = 0;                // of the first process
  std::int64_t duration = 0;             // from there to the last end
};

// A counter with the name of a region holds what was measured at its ends and is no row of its own.
CounterOverview make_counter_overview(const Profile& profile);

}  // namespace pyrometer

// Snapshots of live memory as curves: of each place in each process, on the process's own clock.
#pragma once

#include <cstdint>
#include <limits>
#include <map>

#include "analyze/memory/memory_sites.h"
#include "profile/timed_values.h"

namespace pyrometer {

struct ProcessLive {
  std::map<MemoryPlace, TimedValues> places;
  std::int64_t end = std::numeric_limits<std::int64_t>::min();  // of the last snapshot
};

std::map<ProcessId, ProcessLive> live_by_process(const Profile& profile);

// When nothing of it is live any more, on its own clock.
std::int64_t end_of(const Process& process, const ProcessLive& live);

}  // namespace pyrometer

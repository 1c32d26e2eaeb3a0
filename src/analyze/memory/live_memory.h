// Live memory over time: what was there at a moment, and what keeps growing.
#pragma once

#include <vector>

#include "analyze/memory/memory_sites.h"

namespace pyrometer {

struct LiveMemory {
  MemoryPlace place;
  std::int64_t bytes = 0;
};

// `time` is in ns since the first process began; beyond the end of all, it is that end. A process
// that has ended holds nothing. The largest first; only places with at least a thousandth of the
// heap were recorded.
std::vector<LiveMemory> live_at(const Profile& profile, std::int64_t time);

// A place whose live memory grew all through the second half of the time.
struct GrowingMemory {
  MemoryPlace place;
  std::int64_t live = 0;      // bytes at the end
  std::int64_t growth = 0;    // of them, what came in the second half
  double rate = 0;            // bytes per second, then
  std::size_t processes = 0;  // in which it grew
};

// Candidates for leaks, the quickest first. Growth counts only where it goes on through every
// quarter of that half and is too large to be an accident of sampling: what is built up once, or
// filled and emptied again, is no leak.
std::vector<GrowingMemory> find_growth(const Profile& profile);

}  // namespace pyrometer

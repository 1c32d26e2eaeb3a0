// Live memory of places over time, of all processes together: for pictures, so with an end to it.
#pragma once

#include <cstdint>
#include <vector>

#include "analyze/memory/memory_sites.h"

namespace pyrometer {

struct LiveHistory {
  struct Track {
    MemoryPlace place;
    std::vector<std::int64_t> bytes;  // by moment
  };
  std::vector<std::int64_t> moments;  // ns since the first process began, in order
  std::vector<Track> tracks;          // the one that ever held most first
  std::size_t tracks_left_out = 0;
};

// Every moment at which something changed, or as many of them, spread evenly.
LiveHistory live_history(const Profile& profile, std::size_t most_moments, std::size_t most_tracks);

}  // namespace pyrometer

// Lines that one rank runs while the others have nothing to do: they bound what more ranks can
// bring, as Amdahl's law says.
#pragma once

#include <cstdint>
#include <vector>

#include "analyze/ranks/rank_facts.h"

namespace pyrometer {

struct SerialLine {
  std::uint32_t line = 0;  // row of RankItems::lines
  std::uint32_t rank = 0;  // row
  std::int64_t time = 0;   // ns
  double share = 0;        // of the time of the job
};

struct SerialLines {
  std::vector<SerialLine> lines;                // by time
  double share = 0;                             // of all of them
  double ceiling() const { return 1 / share; }  // of the speed-up
};

SerialLines find_serial_lines(const RankFacts& facts);

}  // namespace pyrometer

// One named region of the program, and what was measured of it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>

#include "cpython/gil_count.h"

namespace pyrometer {

// Times are counts of the clock (os/cycle_counter.h).
struct RegionFigures {
  GilCount count;              // how often it ended
  GilCount total;              // recursion counted once
  GilCount self;               // without regions inside it
  GilCount shortest, longest;  // of one time

  void add(std::int64_t elapsed, std::int64_t own, bool is_outermost) {
    if (count.get() == 0 || elapsed < shortest.get()) shortest.set(elapsed);
    longest.raise_to(elapsed);
    count.add(1);
    if (is_outermost) total.add(elapsed);
    self.add(std::max<std::int64_t>(own, 0));  // regions inside that took turns may exceed it
  }
  void clear() {
    for (GilCount* each : {&count, &total, &self, &shortest, &longest}) each->clear();
  }
};

struct TimedRegion {
  TimedRegion(std::string text, std::uint32_t running_number)
      : name(std::move(text)), number(running_number) {}

  const std::string name;
  const std::uint32_t number;
  RegionFigures figures;       // what the program asks for, and may reset
  RegionFigures recorded;      // while a recording was made, in this process
  std::uint32_t open_now = 0;  // in all threads and tasks
};

}  // namespace pyrometer

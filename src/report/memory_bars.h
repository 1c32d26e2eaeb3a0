// Functions and regions as bars above a plot of memory, the lowest row next to the curves.
#pragma once

#include <string>
#include <vector>

#include "profile/profile.h"
#include "report/memory_axes.h"
#include "report/memory_window.h"

namespace pyrometer {

struct MemoryBar {
  ThreadId thread;
  StringId name;
  std::int64_t from = 0;  // ns since the beginning of all time
  std::int64_t to = 0;
  std::size_t row = 0;  // of nested bars first their depth
};

struct MemoryBars {
  std::vector<MemoryBar> bars;
  std::vector<std::string> labels;  // of each row, on its right; may be empty
  double row_height = 0;
  bool has_names_inside = false;
  std::string left_out;  // what had no room, in words

  double height() const { return static_cast<double>(labels.size()) * row_height; }
};

// Those that the window shows, each with its depth as its row.
std::vector<MemoryBar> find_bars(const Profile& profile, const MemoryWindow& shown);

// The names that took longest, each on a row of its own.
MemoryBars bars_by_name(const Profile& profile, const MemoryWindow& shown);
// Callees on their callers, as in a flame graph; each thread has rows of its own.
MemoryBars bars_by_nesting(const Profile& profile, const MemoryWindow& shown);

std::string draw_bars(const Profile& profile, const MemoryBars& bars, const MemoryAxes& axes);

// What the eye can tell apart of so many: the longest.
void keep_longest(std::vector<MemoryBar>& bars);

}  // namespace pyrometer

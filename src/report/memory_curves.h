// The curves that a plot of memory has.
#pragma once

#include <string>
#include <vector>

#include "report/memory_report.h"

namespace pyrometer {

struct PlottedCurve {
  std::string label;  // of faint ones not shown
  std::string color;
  MemorySeries series;
  bool is_total = false;
  bool is_faint = false;   // one of too many to be told apart
  TimedValues shown = {};  // what is in the window, and never nothing
};

// Of one process both kinds; of several the heap where there is one, of each and of all together.
// Of very many those with the highest peaks in the window.
std::vector<PlottedCurve> choose_curves(const MemorySubject& subject, const MemoryWindow& window);

TimedValue peak_of(const TimedValues& points);
bool has_lower_peak(const PlottedCurve& a, const PlottedCurve& b);

}  // namespace pyrometer

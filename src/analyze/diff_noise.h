// How far a difference between two measurements may come from chance: sampling, and what differs
// from run to run when there are several.
#pragma once

#include <cstdint>
#include <span>

namespace pyrometer {

// One row of one run.
struct Observation {
  double value = 0;
  double samples = 0;
  // What one sample stands for in this run; 0 when nothing was sampled and values are exact.
  double quantum = 0;
};

struct Estimate {
  double mean = 0;           // over the runs
  double variance = 0;       // of the mean
  std::int64_t freedom = 0;  // runs beyond the first, when the variance is that of the runs
};

// The variance is that of a Poisson process, in which one sample more or less is always possible,
// or what the runs show when that is more.
Estimate estimate(std::span<const Observation> runs);

// Half of the 95 % interval of after - before.
double margin_of_change(const Estimate& before, const Estimate& after);

}  // namespace pyrometer

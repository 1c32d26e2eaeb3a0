// A law behind the times of one piece of code on several counts of processes:
//   t(p) = constant + parallel / p + logarithmic * log2(p) + linear * p
// with no coefficient below zero: what does not scale, what does, the depth of reductions and
// broadcasts, and what every process adds. The guard comes first: too few points, or points
// that the law cannot tell when they are left out, give no model.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace pyrometer {

struct ScalingSample {
  double count = 1;
  double time = 0;
};

struct ScalingModel {
  double constant = 0, parallel = 0, logarithmic = 0, linear = 0;  // in the unit of the times
  double error = 0;          // of points that were left out: root mean square, relative
  double largest_count = 0;  // up to which it may be asked: four times the largest measured

  double time(double count) const;
  // The count from which on more processes make it slower; nothing when that is beyond the
  // largest count.
  std::optional<double> fastest_count() const;
};

struct ScalingFit {
  std::optional<ScalingModel> model;
  std::string reason;  // why there is none: a clause
};

ScalingFit fit_scaling(std::span<const ScalingSample> samples);

}  // namespace pyrometer

#include "analyze/diff_noise.h"

#include <algorithm>
#include <cmath>

namespace pyrometer {
namespace {

constexpr double kNormal = 1.96;
// Student's t for 95 %, by degrees of freedom from 1.
constexpr double kStudent[] = {12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306,
                               2.262,  2.228, 2.201, 2.179, 2.160, 2.145, 2.131, 2.120,
                               2.110,  2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064,
                               2.060,  2.056, 2.052, 2.048, 2.045, 2.042};

double quantile(std::int64_t freedom) {
  if (freedom <= 0) return kNormal;
  const auto index = static_cast<std::size_t>(freedom - 1);
  return index < std::size(kStudent) ? kStudent[index] : kNormal;
}

// k samples of weight w vary by w * sqrt(k); with one more, "none of 5" is not called a difference
// and "none of 6" is, as the exact test says.
double sampling_variance(const Observation& run) {
  const double weight = run.samples > 0 ? run.value / run.samples : run.quantum;
  const double least = run.quantum > 0 ? std::max(weight, 0.0) : 0;
  return (run.samples + 1) * least * least;
}

}  // namespace

Estimate estimate(std::span<const Observation> runs) {
  Estimate result;
  if (runs.empty()) return result;
  const auto count = static_cast<double>(runs.size());
  double sampling = 0;
  for (const Observation& run : runs) {
    result.mean += run.value / count;
    sampling += sampling_variance(run) / (count * count);
  }
  result.variance = sampling;
  if (runs.size() < 2) return result;
  double squares = 0;
  for (const Observation& run : runs) squares += std::pow(run.value - result.mean, 2);
  const double spread = squares / (count - 1) / count;
  if (spread > sampling) {
    result.variance = spread;
    result.freedom = static_cast<std::int64_t>(runs.size()) - 1;
  }
  return result;
}

double margin_of_change(const Estimate& before, const Estimate& after) {
  return quantile(before.freedom + after.freedom) * std::sqrt(before.variance + after.variance);
}

}  // namespace pyrometer

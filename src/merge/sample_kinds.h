// How the values of a sample divide its time among kinds that exclude one another.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "profile/profile.h"

namespace pyrometer {

class SampleKinds {
 public:
  SampleKinds(const Profile& profile, const SampleTrack& track);

  // Whether the samples say how long they took at all.
  bool knows_time() const { return duration_.has_value(); }
  std::int64_t duration(std::span<const std::int64_t> values) const {
    return std::max<std::int64_t>(values[*duration_], 0);
  }

  // visit(kind, ns), for the samples in their order. CPU and wall time get what no finer kind
  // explains. As every value is rounded by itself, kinds do not quite make up their sum: small
  // differences are kept for later samples, so that sums over many are right.
  template <class Visit>
  void for_each(std::span<const std::int64_t> values, Visit visit) {
    if (wall_) unexplained_wall_ += values[*wall_];
    if (cpu_) unexplained_cpu_ += values[*cpu_];
    for (const auto& [column, metric, is_of_cpu] : kinds_) {
      const std::int64_t value = values[column];
      if (value <= 0) continue;
      visit(metric, value);
      unexplained_wall_ -= value;
      if (is_of_cpu) unexplained_cpu_ -= value;
    }
    if (cpu_ && unexplained_cpu_ > values[*cpu_] / kRoundedPart) {
      visit(metrics_[*cpu_], unexplained_cpu_);
      unexplained_wall_ -= unexplained_cpu_;
      unexplained_cpu_ = 0;
    }
    if (wall_ && unexplained_wall_ > values[*wall_] / kRoundedPart) {
      visit(metrics_[*wall_], unexplained_wall_);
      unexplained_wall_ = 0;
    }
  }

 private:
  // Less than an eighth of a sample may be due to rounding.
  static constexpr std::int64_t kRoundedPart = 8;

  struct Kind {
    std::size_t column = 0;
    MetricId metric;
    bool is_of_cpu = false;
  };
  const std::vector<MetricId>& metrics_;
  std::vector<Kind> kinds_;
  std::optional<std::size_t> wall_, cpu_, duration_;  // columns
  std::int64_t unexplained_wall_ = 0;
  std::int64_t unexplained_cpu_ = 0;
};

}  // namespace pyrometer

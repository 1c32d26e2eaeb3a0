// TAU's metrics under our names: TIME is the wall time, and values of times become nanoseconds.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "profile/builder.h"

namespace pyrometer {

std::int64_t rounded_count(double value);

class TauMetrics {
 public:
  TauMetrics(ProfileBuilder& builder, const std::vector<std::string>& names);

  MetricId operator[](std::size_t metric) const { return ids_[metric]; }
  bool is_time(std::size_t metric) const { return is_time_[metric]; }
  // In the unit of the profile's metric.
  std::int64_t value(std::size_t metric, double value) const;

  MetricId calls() { return builder_.metric({std::string(metric::kCalls)}); }
  MetricId primitive_calls() { return builder_.metric({std::string(metric::kPrimitiveCalls)}); }
  MetricId samples() { return builder_.metric({std::string(metric::kSamples)}); }

 private:
  ProfileBuilder& builder_;
  std::vector<MetricId> ids_;
  std::vector<bool> is_time_;
};

}  // namespace pyrometer

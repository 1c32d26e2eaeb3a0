#include "load/tau_metrics.h"

#include <algorithm>
#include <cmath>

#include "formats/tau_metric_names.h"

namespace pyrometer {

std::int64_t rounded_count(double value) {
  constexpr double kMost = 1e17;  // keeps hostile numbers inside 64 bits even when added up
  return std::llround(std::clamp(value, -kMost, kMost));
}

TauMetrics::TauMetrics(ProfileBuilder& builder, const std::vector<std::string>& names)
    : builder_(builder) {
  for (const std::string& name : names) {
    const TauMetricName known = read_tau_metric_name(name);
    // TIME and GET_TIME_OF_DAY beside each other are two metrics all the same.
    const bool is_taken = builder.profile().find_metric(known.name).has_value();
    ids_.push_back(builder.metric({is_taken ? name : known.name, known.unit}));
    is_time_.push_back(known.unit == Unit::kNanoseconds);
  }
}

std::int64_t TauMetrics::value(std::size_t metric, double value) const {
  constexpr double kNanosecondsPerMicrosecond = 1000;
  return rounded_count(is_time(metric) ? value * kNanosecondsPerMicrosecond : value);
}

}  // namespace pyrometer

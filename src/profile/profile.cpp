#include "profile/profile.h"

namespace pyrometer {

std::optional<MetricId> Profile::find_metric(std::string_view name) const {
  for (std::size_t i = 0; i < metrics.size(); ++i) {
    if (metrics[i].name == name) return MetricId::from_index(i);
  }
  return std::nullopt;
}

}  // namespace pyrometer

#include "merge/sample_kinds.h"

#include "profile/time_kinds.h"

namespace pyrometer {

SampleKinds::SampleKinds(const Profile& profile, const SampleTrack& track)
    : metrics_(track.metrics()) {
  std::optional<std::size_t> any;
  for (std::size_t i = 0; i < metrics_.size(); ++i) {
    const Metric& metric = profile.metrics[metrics_[i].row()];
    const auto is_among = [&](const auto& names) {
      return std::find(names.begin(), names.end(), metric.name) != names.end();
    };
    if (metric.unit != Unit::kNanoseconds) continue;
    if (!any) any = i;
    if (metric.name == metric::kWall) wall_ = i;
    if (metric.name == metric::kCpu) cpu_ = i;
    const bool is_of_cpu = is_among(kCpuKinds);
    if (is_of_cpu || is_among(kOtherKinds)) kinds_.push_back({i, metrics_[i], is_of_cpu});
  }
  duration_ = wall_ ? wall_ : cpu_ ? cpu_ : any;
  // A time that we have no word for stands for itself.
  if (any && !wall_ && !cpu_ && kinds_.empty()) kinds_.push_back({*any, metrics_[*any], false});
}

}  // namespace pyrometer

#include "analyze/ranks/useful_time.h"

namespace pyrometer {

UsefulTime find_useful_time(const Profile& profile) {
  if (const auto cpu = profile.find_metric(metric::kCpu)) return {cpu, std::nullopt};
  return {profile.find_metric(metric::kWall), profile.find_metric(metric::kMpiTime)};
}

}  // namespace pyrometer

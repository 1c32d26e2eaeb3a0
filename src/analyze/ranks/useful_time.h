// Which metrics say how long a program did useful work: on a CPU and not in MPI, where waiting
// looks busy.
#pragma once

#include <optional>

#include "profile/profile.h"

namespace pyrometer {

struct UsefulTime {
  std::optional<MetricId> time;  // none: the profile has no times
  // Where nothing tells work from waiting, all time but that in MPI counts.
  std::optional<MetricId> without;
};

UsefulTime find_useful_time(const Profile& profile);

}  // namespace pyrometer

// The threads of a profile with what each one cost.
#pragma once

#include <cstdint>
#include <vector>

#include "profile/profile.h"

namespace pyrometer {

struct ThreadCost {
  ThreadId thread;
  std::int64_t value = 0;
};

// Heaviest first. Needs the values per thread, not only a summary.
std::vector<ThreadCost> make_thread_table(const Profile& profile, MetricId metric);

}  // namespace pyrometer

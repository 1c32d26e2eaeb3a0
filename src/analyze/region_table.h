// What the program's named timers measured, over all processes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "profile/profile.h"

namespace pyrometer {

struct RegionCost {
  std::string name;
  std::int64_t count = 0;
  std::int64_t total = 0, self = 0;        // ns, over all processes
  std::int64_t shortest = 0, longest = 0;  // ns, of one time
  std::size_t processes = 0;               // those that were in it
  std::int64_t least = 0, most = 0;        // ns, the total of one process

  std::int64_t mean() const { return total / count; }
  std::int64_t mean_of_process() const { return total / static_cast<std::int64_t>(processes); }
};

// The longest first.
std::vector<RegionCost> make_region_table(const Profile& profile);

// How many times regions ended that are in the table, but not on the timeline.
std::int64_t regions_left_out(const Profile& profile);
// The same of one region.
std::int64_t region_left_out(const Profile& profile, std::string_view name);

}  // namespace pyrometer

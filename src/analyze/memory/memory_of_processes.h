// The memory of some processes of a profile, by themselves.
#pragma once

#include <vector>

#include "profile/profile.h"

namespace pyrometer {

// What analyses of memory need, with the tables and rows of the whole profile; figures, counters
// and live memory of other processes are not in it. `processes` says by row which. Values of
// threads must be in the profile (Detail::kValues).
Profile memory_of_processes(const Profile& profile, const std::vector<bool>& processes);

}  // namespace pyrometer

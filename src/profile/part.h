// What some processes of a profile did, as a profile of their own: one rank of a job.
#pragma once

#include <vector>

#include "profile/profile.h"

namespace pyrometer {

// `processes` says by row which. Their values must be in the profile (Detail::kValues); functions
// and positions that they have none of are left out. How long they waited in MPI calls stays as it
// was measured against all ranks.
Profile part_of_profile(const Profile& profile, const std::vector<bool>& processes);

}  // namespace pyrometer

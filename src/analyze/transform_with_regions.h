// Call paths with the program's named regions among their frames.
#pragma once

#include "base/result.h"
#include "profile/profile.h"

namespace pyrometer {

// Whether the profile tells what happened when, and in which functions regions began.
bool can_show_regions_in_paths(const Profile& profile);

// What was seen inside a region stands below a frame "[name]" of kind region, which stands below
// the frame that began the region; nested regions nest. A path without that frame, such as that of
// another task, is not inside. Totals stay, and so do rows of functions; figures that are known for
// the whole run only (calls, memory, MPI) stay at the positions without regions.
Result<Profile> with_regions(const Profile& profile);

}  // namespace pyrometer

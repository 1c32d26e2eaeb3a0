// What a program did inside one of its named regions.
#pragma once

#include <string_view>

#include "base/result.h"
#include "profile/profile.h"

namespace pyrometer {

// The name of a region that is on the timeline; an error names those that are.
Result<StringId> find_region(const Profile& profile, std::string_view name);

// An error where the profile does not know what happened when.
Result<void> check_has_time(const Profile& profile);

// The same positions with what they cost inside the region, in the threads that were in it. Figures
// that are known for the whole run only (lines, calls without times) are left out.
Result<Profile> keep_region(const Profile& profile, StringId region);

}  // namespace pyrometer

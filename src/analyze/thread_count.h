// Threads as a user counts them: what many threads did that were too short to be seen one by one
// is recorded as one more, which nobody started.
#pragma once

#include <cstddef>

#include "profile/profile.h"

namespace pyrometer {

// When that happened is not known either.
bool stands_for_short_threads(const Profile& profile, const Thread& thread);

std::size_t count_threads(const Profile& profile);

}  // namespace pyrometer

// The call tree of some functions only.
#pragma once

#include "analyze/selection.h"
#include "profile/profile.h"

namespace pyrometer {

// Functions that the selection's patterns leave out are folded into their callers, so nothing is
// lost and every total stays.
Profile filter_paths(const Profile& profile, const Selection& selection);

}  // namespace pyrometer

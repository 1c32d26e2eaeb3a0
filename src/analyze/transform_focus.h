// Only what happens on call paths through chosen functions.
#pragma once

#include <span>

#include "base/pattern.h"
#include "profile/profile.h"

namespace pyrometer {

// Keeps what functions with a matching name or place cost, with everything they call, and the
// paths that lead to them; all other values go, so totals and shares are those of the rest. With
// several patterns a path must pass a match of each. Where a source has function totals but no
// paths (flat values), the estimated paths are all that is left.
Profile focus_on(const Profile& profile, std::span<const Pattern> patterns);

}  // namespace pyrometer

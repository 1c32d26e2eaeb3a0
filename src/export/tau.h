// A profile as TAU would have measured it: a timer for each function, and one for each path of
// calls, below
// ".TAU application" as TAU has it. What is not known (calls of a sampled function) is 0.
#pragma once

#include "analyze/overview.h"
#include "base/result.h"
#include "formats/tau_profile.h"

namespace pyrometer {

// The overview's metric first, then every other one that positions have. An error when there are no
// functions, or when paths are so deep that their names alone would fill a disk.
Result<TauProfile> make_tau(const Overview& overview);

}  // namespace pyrometer

// TAU's profiles become a Profile: a process per node, call paths where TAU kept whole ones, else
// its flat table with paths estimated from what it says of callers.
#pragma once

#include "base/file.h"
#include "base/result.h"
#include "formats/tau_profile.h"
#include "profile/profile.h"

namespace pyrometer {

Profile load_tau(const TauProfile& tau);

// One file `profile.N.C.T`.
Result<Profile> load_tau_file(const Path& path);

// A folder with such files, or with folders MULTI__* of them: every thread, with all metrics. A
// file that cannot be read is noted and left out.
bool is_tau_folder(const Path& folder);
Result<Profile> load_tau_folder(const Path& folder);

}  // namespace pyrometer

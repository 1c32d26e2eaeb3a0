// A profile as line_profiler would have written it.
#pragma once

#include "base/result.h"
#include "formats/lprof_file.h"
#include "profile/profile.h"

namespace pyrometer {

// An error when lines were not measured exactly.
Result<LprofFile> make_lprof(const Profile& profile);

}  // namespace pyrometer

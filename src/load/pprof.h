// A pprof file becomes a Profile: every type of its samples a metric, its labels threads and ranks.
#pragma once

#include "base/result.h"
#include "formats/pprof_file.h"
#include "profile/profile.h"

namespace pyrometer {

Result<Profile> load_pprof(const PprofFile& file);
Result<Profile> load_pprof_bytes(std::string_view bytes);

}  // namespace pyrometer

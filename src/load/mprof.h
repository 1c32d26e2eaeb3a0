// mprof's file becomes a Profile without functions: memory over time as a counter of each process,
// calls of decorated functions as regions of the first one.
#pragma once

#include "formats/mprof_file.h"
#include "profile/profile.h"

namespace pyrometer {

Profile load_mprof(const MprofFile& file);

}  // namespace pyrometer

// A profile as cProfile would have written it. Functions with the same file, line and name
// become one entry when it is written or added up, because the format cannot keep them apart.
#pragma once

#include "analyze/overview.h"
#include "base/result.h"
#include "formats/pstats_file.h"

namespace pyrometer {

// An error when the overview's metric is no time.
Result<PstatsFile> make_pstats(const Overview& overview);

}  // namespace pyrometer

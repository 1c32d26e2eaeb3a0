// The text that the standard library's pstats prints, byte for byte, for whoever has tools or
// eyes that are used to it. Words are those of Python 3.11, for sampled files of 3.15.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "formats/pstats_sum.h"
#include "report/pstats_listing.h"

namespace pyrometer {

// All fail on names so long that the text would not fit in memory: each is printed as often as
// it is called.

// Stats.print_stats. A source is the line about a file that was added.
Result<std::string> pstats_functions_text(const std::vector<std::string>& sources,
                                          const PstatsSum& sum, const PstatsSelection& selection);

// Stats.print_callers and Stats.print_callees.
Result<std::string> pstats_callers_text(const PstatsFile& file, const PstatsSelection& selection);
Result<std::string> pstats_callees_text(const PstatsFile& file, const PstatsSelection& selection);

}  // namespace pyrometer

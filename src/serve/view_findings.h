// The findings that the overview shows: those of every report, with the hot spots of the run in the
// place of hot functions, as a reader of sources asks which of their own lines cost so much.
#pragma once

#include <vector>

#include "analyze/findings/findings.h"
#include "report/run_summary.h"

namespace pyrometer {

std::vector<Finding> make_view_findings(const Overview& overview, const RunSummary& summary);

}  // namespace pyrometer

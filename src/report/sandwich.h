// Which functions a sandwich is made of.
#pragma once

#include <vector>

#include "report/report.h"

namespace pyrometer {

// Those that match the sandwich's patterns and the filters, sorted, not yet limited.
std::vector<FunctionCost> sandwich_subjects(const Overview& overview, const ReportOptions& options);

}  // namespace pyrometer

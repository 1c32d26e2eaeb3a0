// Memory over time as the view draws it: all processes together, and those that had most.
#pragma once

#include "analyze/memory/memory_series.h"
#include "serve/columns.h"

namespace pyrometer {

// Columns curve.process, curve.kind, curve.end and point.time, point.bytes of all curves; gives the
// number of processes whose curves are left out.
std::size_t write_memory_curves(ColumnsWriter& out, const Profile& profile);

}  // namespace pyrometer

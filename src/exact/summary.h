// What pstats says of calls, derived from their paths: per function, and per function and
// caller. To the digit what cProfile counts: a call is recursive when the function (of an edge:
// the same edge) is active already, and only outermost calls add to a total.
#pragma once

#include "exact/call_paths.h"

namespace pyrometer {

// Calls that are still open are left out of the counts; their time so far is not.
FoldedCalls::Counts summarize_calls(const CallPaths& paths);

}  // namespace pyrometer

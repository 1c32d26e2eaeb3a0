// What a Profile counted, as the objects that cProfile's getstats() gives.
#pragma once

#include "cpython/python_api.h"
#include "exact/call_paths.h"
#include "exact/called_functions.h"

namespace pyrometer {

bool add_stats_types(PyObject* module);

// A new list, or nullptr with a Python error set.
PyObject* make_profiler_stats(const CallPaths& paths, const CalledFunctions& functions,
                              double seconds_per_count, bool with_callees);

}  // namespace pyrometer

// sys.monitoring, 3.12 and newer: a tool id of our own, and callbacks that cost little.
#pragma once

#include <cstddef>
#include <optional>

#include "cpython/python_api.h"

namespace pyrometer {

using Vectorcall = PyObject* (*)(PyObject* self, PyObject* const* arguments, std::size_t count,
                                 PyObject* keyword_names);

// The module; nothing on 3.11.
Reference monitoring_module();

// The following leave a Python error when they fail.

// An object with a vectorcall slot: called for less than a built-in function.
Reference new_event_callback(Vectorcall call);

std::optional<long> monitoring_event(PyObject* monitoring, const char* name);

// One that has no customary owner; 2, the profiler's, stays free for cProfile. -1: all taken.
int take_monitoring_tool(PyObject* monitoring);
void free_monitoring_tool(PyObject* monitoring, int tool);

bool register_event_callback(PyObject* monitoring, int tool, const char* event, Vectorcall call);

}  // namespace pyrometer

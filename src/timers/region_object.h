// What Python sees of timers: timed_region(), its regions, and functions that are timed.
#pragma once

#include <string>

#include "cpython/python_api.h"

namespace pyrometer {

// Adds them to the module; false leaves a Python error.
bool add_timers(PyObject* module);

// What timed_region(name) gives; nullptr leaves a Python error.
PyObject* make_region(const std::string& name);

}  // namespace pyrometer

// The type behind pyrometer.cprofile.Profile.
#pragma once

#include "cpython/python_api.h"

namespace pyrometer {

// Adds `Profiler` to the module; false: a Python error is set.
bool add_profiler_type(PyObject* module);

}  // namespace pyrometer

// The Python type behind pyrometer.LineProfiler.
#pragma once

#include "cpython/python_api.h"

namespace pyrometer {

// `LineTimes` into the module. False: a Python error is set.
bool add_line_times_type(PyObject* module);

}  // namespace pyrometer

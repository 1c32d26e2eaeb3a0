// What the Python module `_agent` offers to programs that record themselves.
#pragma once

#include "cpython/python_api.h"

namespace pyrometer {

// False with a Python error.
bool add_inside_functions(PyObject* module);

}  // namespace pyrometer

// What Python code calls to follow every block for a while: the window of
// collect/allocation_window.h.
#pragma once

#include "cpython/python_api.h"

namespace pyrometer {

PyObject* begin_memory_window(PyObject* module, PyObject* arguments);
PyObject* end_memory_window(PyObject* module, PyObject* arguments);

}  // namespace pyrometer

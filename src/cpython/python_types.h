// Types that the limited API does not name.
#pragma once

#include "cpython/python_api.h"

namespace pyrometer {

bool is_code_object(PyObject* object);
bool is_python_function(PyObject* object);

}  // namespace pyrometer

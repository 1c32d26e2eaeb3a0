// Functions, comprehensions and classes that are defined inside code: constants of it.
#pragma once

#include <functional>
#include <vector>

#include "cpython/python_api.h"

namespace pyrometer {

// All of them, also those inside others; borrowed from the code.
std::vector<PyObject*> codes_inside(PyObject* code);

// The code with what `change` makes of each that is directly inside it; the code itself when
// nothing changes or Python refuses.
Reference with_changed_codes(PyObject* code, const std::function<Reference(PyObject*)>& change);

}  // namespace pyrometer

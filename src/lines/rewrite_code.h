// From a code object to one that measures its lines.
#pragma once

#include "base/result.h"
#include "cpython/python_api.h"
#include "lines/measured_function.h"

namespace pyrometer {

// The copy differs in its probes only, and is as good as the original wherever that is used.
// An error says why this code is better left alone. Leaves no Python error.
Result<Reference> rewrite_code(PyObject* code, MeasuredFunction& function);

}  // namespace pyrometer

// What a module's code says before it runs.
#pragma once

#include <string>
#include <vector>

#include "cpython/python_api.h"

namespace pyrometer {

// Whether functions or classes in it are decorated with `profile` or `lineprof`, and these are
// not its own.
bool uses_line_decorator(PyObject* code);

// The modules it imports, and what it takes from them as `module.name`.
std::vector<std::string> imports_of(PyObject* code);

}  // namespace pyrometer

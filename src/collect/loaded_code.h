// What of the program's code there is in the middle of a run. With the GIL; leaves no Python error.
#pragma once

#include <functional>
#include <string>

#include "cpython/python_api.h"

namespace pyrometer {

// Every function that there is, whoever made it, and its code.
void visit_functions(const std::function<void(PyObject* function, PyObject* code)>& visitor);

// The code of every call that is under way, in all threads, and the name of its module.
void visit_running_codes(
    const std::function<void(PyObject* code, const std::string& module)>& visitor);

}  // namespace pyrometer

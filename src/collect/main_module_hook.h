// The program's main module is compiled and run by the interpreter's own C code: no Python
// function could be replaced to see it. So for a moment, from the start of the interpreter until
// that module begins, every frame is evaluated through us (PEP 523).
#pragma once

#include <string>

#include "cpython/layout.h"
#include "cpython/python_api.h"

namespace pyrometer {

// Given the module's code, the code to run instead (owned), or nullptr. Leaves no Python error.
using ReplaceMainModule = PyObject* (*)(PyObject* code);

// False where the interpreter does not let us. Of several, the one that came last is asked first,
// and the others get its code.
bool install_main_module_hook(const Layout& layout, const std::string& main_file,
                              ReplaceMainModule replace);

}  // namespace pyrometer

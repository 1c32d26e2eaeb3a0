// Modules of the program, and Python code of ours that lies beside the agent.
#pragma once

#include <string>

#include "base/file.h"
#include "cpython/python_api.h"

namespace pyrometer {

// The name of the module whose names these are; empty where they are none's.
std::string module_name(PyObject* names);

// The arguments of exec() (owned) with other code (owned) in the place of the first; nullptr where
// there is no memory. Leaves no Python error.
PyObject* arguments_with_code(PyObject* arguments, Reference code);

// Runs a file of ours under this name and returns its names, for good; nullptr where that fails.
// Leaves no Python error.
PyObject* run_own_file(const Path& file, const char* name);

}  // namespace pyrometer

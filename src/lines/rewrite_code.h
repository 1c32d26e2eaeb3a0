// From a code object to one that measures its lines.
#pragma once

#include "base/result.h"
#include "cpython/python_api.h"
#include "lines/bytecode.h"
#include "lines/measured_function.h"

namespace pyrometer {

// The copy differs in its probes only, and is as good as the original wherever that is used.
// An error says why this code is better left alone. Leaves no Python error.
Result<Reference> rewrite_code(PyObject* code, MeasuredFunction& function);

// Of the running interpreter, read once.
const Result<Opcodes>& own_opcodes();
// A code object's instructions.
Result<Bytecode> bytecode_of(PyObject* code);

}  // namespace pyrometer

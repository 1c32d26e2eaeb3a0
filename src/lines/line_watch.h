// Measures lines by the interpreter's events: of code that cannot be rewritten, or that ran
// already when measuring began. Slower than probes, and as exact. 3.12 and newer by
// sys.monitoring, with events of the watched code only; 3.11 by the trace function of the
// calling thread.
#pragma once

#include "base/result.h"
#include "cpython/python_api.h"
#include "lines/measured_function.h"

namespace pyrometer {

// The function must outlive the watch. Sets its engine where it has no other.
Result<void> watch_lines(PyObject* code, MeasuredFunction& function);
void unwatch_lines(PyObject* code, MeasuredFunction& function);

}  // namespace pyrometer

// The constants that probes load: objects whose negation tells us that a line begins, or that a
// function is entered, left or resumed.
#pragma once

#include "cpython/python_api.h"
#include "lines/measured_function.h"
#include "lines/rewriter.h"

namespace pyrometer {

// Keeps the function's figures alive. Nothing, with a Python error set, when there is no memory.
Reference new_probe(const Probe& probe, MeasuredFunction& function);

}  // namespace pyrometer

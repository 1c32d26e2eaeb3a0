// A function that runs inside a region whenever it is called. Callers meet no further frame, so
// that profiles show the program as if nobody timed it.
#pragma once

#include "cpython/python_api.h"
#include "timers/timed_region.h"

namespace pyrometer {

// Once, before the first; false leaves a Python error.
bool prepare_timed_functions();

// All borrowed.
struct TimedFunctionParts {
  TimedRegion& region;
  PyObject* region_object;
  PyObject* function;
  PyObject* reduce;  // says how it is pickled, called with it, the region and the function
};

// A new reference; nullptr leaves a Python error. Names and documentation are given by Python.
PyObject* make_timed_function(const TimedFunctionParts& parts);

}  // namespace pyrometer

// Compares what the walker reads with what the interpreter itself says, once at every start:
// a layout that is wrong in any way used here is noticed before the first sample.
#pragma once

#include "base/result.h"
#include "cpython/layout.h"
#include "cpython/symbols.h"

namespace pyrometer {

// A layout that was seen to be right: frames, instructions, names, files, first lines and line
// tables of the calling thread's stack agree. Needs the GIL; to be called from Python code.
Result<Layout> tested_layout(const Symbols& symbols);

}  // namespace pyrometer

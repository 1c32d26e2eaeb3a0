// Functions of MPI 4 that not every library has. A program that finds such a symbol uses it, so we
// must not have it where the library does not: instead, what loaded libraries have imported from
// the MPI library is replaced in their tables of imported functions.
#pragma once

#include "preload/mpi_library.h"

namespace pyrometer::preload {

struct HiddenWrapper {
  const char* name = nullptr;  // nullptr: the end of the table
  RealFunction wrapper = nullptr;
};
const HiddenWrapper* hidden_wrappers();

// In all libraries that are loaded now. What is not imported, or not there, stays so.
void replace_imports();

}  // namespace pyrometer::preload

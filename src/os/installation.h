// Where this executable is installed, and with it the files it hands to the programs it starts.
#pragma once

#include "base/file.h"
#include "base/result.h"

namespace pyrometer {

struct Installation {
  Path start_folder;  // holds the sitecustomize.py that loads the agent
  // Libraries that are loaded before a program; empty: this installation has none.
  Path mpi_library;     // times MPI calls
  Path memory_library;  // counts what is allocated
  Path copies_library;  // counts what is copied
};

// <folder of the executable>/../libexec/pyrometer; an error when the files are not there.
Result<Installation> find_installation();

}  // namespace pyrometer

// The MPI library of this process, found without its header: by what the loaded libraries define.
// mpi4py loads it for itself alone, so the usual ways to look for the next definition of a
// symbol miss it.
#pragma once

#include <cstdint>

#include "preload/mpi_function.h"

namespace pyrometer::preload {

// An argument or result of any MPI function: numbers and addresses of up to 8 bytes.
using Slot = std::intptr_t;
inline constexpr std::size_t kSlots = 14;  // Fortran's MPI_Sendrecv has 13

using RealFunction = Slot (*)(Slot, Slot, Slot, Slot, Slot, Slot, Slot, Slot, Slot, Slot, Slot,
                              Slot, Slot, Slot);

// What one binding calls the things that are nothing, or everything.
struct Constants {
  bool are_known = false;  // false: nothing may be asked about handles
  Slot world = 0, no_communicator = 0, no_datatype = 0;
  Slot in_place[8] = {};  // 0: none
};

// The functions that tell about handles, in the binding's own convention.
struct Queries {
  Slot (*type_size)(Slot datatype, int* size, int* error) = nullptr;
  Slot (*comm_size)(Slot communicator, int* size, int* error) = nullptr;
  Slot (*comm_test_inter)(Slot communicator, int* flag, int* error) = nullptr;
  Slot (*comm_remote_size)(Slot communicator, int* size, int* error) = nullptr;
};

struct LoadedMpi {
  void* handle = nullptr;  // nullptr: no loaded library has this binding
  Constants constants;
  Queries queries;
};

// Looked for at the first use.
const LoadedMpi& mpi_library(Binding binding);

// What a call is to be forwarded to; nullptr when no library has it.
RealFunction find_real_function(FunctionId id, Binding binding);

}  // namespace pyrometer::preload

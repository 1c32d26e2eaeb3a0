// How much a call hands over, and among how many ranks: asked of MPI itself, which answers
// without communication.
#pragma once

#include "preload/mpi_library.h"

namespace pyrometer::preload {

struct Amount {
  std::uint64_t bytes = 0;
  std::uint32_t communicator = 0;  // its size; 0: there is none
};

Amount amount_of(const Arguments& arguments, Binding binding, const LoadedMpi& library,
                 const Slot* slots);

}  // namespace pyrometer::preload

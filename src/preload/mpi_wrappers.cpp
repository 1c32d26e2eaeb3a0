// The symbols that stand before those of the MPI library: C's, and Fortran's as gfortran and
// most others spell them. All arguments are slots, more than any function has: what is read
// beyond them is handed on and looked at by nobody.
#include "preload/mpi_call.h"
#include "preload/mpi_imports.h"

using pyrometer::preload::Binding;
using pyrometer::preload::forward;
using pyrometer::preload::FunctionId;
using pyrometer::preload::kSlots;
using pyrometer::preload::Slot;

// NOLINTBEGIN(readability-identifier-naming,bugprone-macro-parentheses): the names are MPI's.
#define PYROMETER_SLOTS                                                                           \
  Slot a, Slot b, Slot c, Slot d, Slot e, Slot f, Slot g, Slot h, Slot i, Slot j, Slot k, Slot l, \
      Slot m, Slot n
#define PYROMETER_WRAPPER(symbol, id, binding)                             \
  Slot symbol(PYROMETER_SLOTS) {                                           \
    const Slot slots[kSlots] = {a, b, c, d, e, f, g, h, i, j, k, l, m, n}; \
    return forward(FunctionId::id, Binding::binding, slots);               \
  }
#define PYROMETER_EXPORTED [[gnu::visibility("default")]]
#define PYROMETER_MPI(Name, name, ...)                                                  \
  PYROMETER_EXPORTED PYROMETER_WRAPPER(MPI_##Name, k##Name, kC)                         \
  PYROMETER_EXPORTED PYROMETER_WRAPPER(mpi_##name##_, k##Name, kFortran)                \
  PYROMETER_EXPORTED PYROMETER_WRAPPER(mpi_##name##_f08_, k##Name, kFortran2008)        \
      [[gnu::visibility("default"), gnu::alias("mpi_" #name "_")]] Slot mpi_##name##__( \
          PYROMETER_SLOTS);
#define PYROMETER_MPI_4(Name, ...) PYROMETER_WRAPPER(MPI_##Name, k##Name, kC)
#define PYROMETER_MPI_COUNTING(Name, name, ...) \
  PYROMETER_MPI(Name, name, __VA_ARGS__)        \
  PYROMETER_MPI_4(Name##_c, __VA_ARGS__)

extern "C" {
#include "preload/mpi_functions.inc"
#undef PYROMETER_MPI
#undef PYROMETER_MPI_4
#undef PYROMETER_MPI_COUNTING
}

namespace pyrometer::preload {

#define PYROMETER_MPI(Name, name, ...)
#define PYROMETER_MPI_4(Name, ...) {"MPI_" #Name, &MPI_##Name},
#define PYROMETER_MPI_COUNTING(Name, name, ...) PYROMETER_MPI_4(Name##_c)
const HiddenWrapper* hidden_wrappers() {
  static constexpr HiddenWrapper kWrappers[] = {
#include "preload/mpi_functions.inc"
      {}};
  return kWrappers;
}

}  // namespace pyrometer::preload
// NOLINTEND(readability-identifier-naming,bugprone-macro-parentheses)

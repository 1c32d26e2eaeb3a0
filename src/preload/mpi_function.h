// The MPI functions that are timed (mpi_functions.inc), as plain data.
#pragma once

#include <cstddef>
#include <cstdint>

namespace pyrometer::preload {

// How a function is called: by C, by Fortran (all arguments are addresses), or by the module
// mpi_f08 of Open MPI (the same under other names).
enum class Binding : std::uint8_t { kC, kFortran, kFortran2008 };
inline constexpr std::size_t kBindings = 3;

// Which argument says what, counted from 0.
struct Arguments {
  static constexpr std::int8_t kNone = -1;
  std::int8_t buffer = kNone;  // may be MPI_IN_PLACE: then the other count counts
  std::int8_t count = kNone;   // none, but a datatype: one
  std::int8_t datatype = kNone;
  std::int8_t root = kNone;  // negative for those that take no part between communicators
  std::int8_t communicator = kNone;
  std::int8_t other_count = kNone, other_datatype = kNone;
  bool each_rank = false;   // the count is what each rank gets
  bool has_counts = false;  // there is one count for each rank
  bool is_large = false;    // counts have 8 bytes
};

struct MpiFunction {
  const char* name = nullptr;  // "MPI_Send"
  // What it is forwarded to, by binding, and what that is called where a library has no
  // profiling interface; nullptr: there is none.
  const char* real[kBindings] = {};
  const char* plain[kBindings] = {};
  Arguments arguments;
};

// The order of the table; the numbers name functions to the agent.
enum class FunctionId : std::uint16_t {
#define PYROMETER_MPI(Name, name, ...) k##Name,
#define PYROMETER_MPI_4(Name, ...) k##Name,
#define PYROMETER_MPI_COUNTING(Name, name, ...) k##Name, k##Name##_c,
#include "preload/mpi_functions.inc"
#undef PYROMETER_MPI
#undef PYROMETER_MPI_4
#undef PYROMETER_MPI_COUNTING
  kEnd
};
inline constexpr std::size_t kFunctions = static_cast<std::size_t>(FunctionId::kEnd);

const MpiFunction& function(FunctionId id);

}  // namespace pyrometer::preload

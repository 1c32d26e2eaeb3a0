#include "preload/mpi_function.h"

namespace pyrometer::preload {
namespace {

// NOLINTBEGIN(bugprone-macro-parentheses): the macros' arguments are names.
#define PYROMETER_MPI(Name, name, ...)                        \
  {"MPI_" #Name,                                              \
   {"PMPI_" #Name, "pmpi_" #name "_", "pmpi_" #name "_f08_"}, \
   {"MPI_" #Name, "mpi_" #name "_", "mpi_" #name "_f08_"},    \
   Arguments{__VA_ARGS__}},
#define PYROMETER_MPI_4(Name, ...)    \
  {"MPI_" #Name,                      \
   {"PMPI_" #Name, nullptr, nullptr}, \
   {"MPI_" #Name, nullptr, nullptr},  \
   Arguments{__VA_ARGS__}},
#define PYROMETER_MPI_COUNTING(Name, name, ...) \
  PYROMETER_MPI(Name, name, __VA_ARGS__)        \
  PYROMETER_MPI_4(Name##_c, __VA_ARGS__ __VA_OPT__(, ).is_large = true)
constexpr MpiFunction kTable[kFunctions] = {
#include "preload/mpi_functions.inc"
};
#undef PYROMETER_MPI
#undef PYROMETER_MPI_4
#undef PYROMETER_MPI_COUNTING
// NOLINTEND(bugprone-macro-parentheses)

}  // namespace

const MpiFunction& function(FunctionId id) { return kTable[static_cast<std::size_t>(id)]; }

}  // namespace pyrometer::preload

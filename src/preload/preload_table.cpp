// What the agent finds of this library.
#include "collect/agent_table.h"
#include "preload/mpi_call.h"

namespace pyrometer::preload {
namespace {

// Whether counts had 4 or 8 bytes was the choice of mpi4py, not of the program.
#define PYROMETER_MPI(Name, name, ...) "MPI_" #Name,
#define PYROMETER_MPI_4(Name, ...) "MPI_" #Name,
#define PYROMETER_MPI_COUNTING(Name, name, ...) "MPI_" #Name, "MPI_" #Name,
constexpr const char* kNames[kFunctions] = {
#include "preload/mpi_functions.inc"
};
#undef PYROMETER_MPI
#undef PYROMETER_MPI_4
#undef PYROMETER_MPI_COUNTING

}  // namespace
}  // namespace pyrometer::preload

// NOLINTBEGIN(readability-identifier-naming): this is C.
extern "C" {
[[gnu::visibility("default")]] extern const pyrometer_preload_table pyrometer_preload_table;
const struct pyrometer_preload_table pyrometer_preload_table = {
    PYROMETER_TABLE_VERSION, sizeof(struct pyrometer_preload_table),
    &pyrometer::preload::meet_agent, pyrometer::preload::kNames,
    static_cast<std::uint32_t>(pyrometer::preload::kFunctions)};
}
// NOLINTEND(readability-identifier-naming)

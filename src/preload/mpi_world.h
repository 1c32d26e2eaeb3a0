// What MPI itself says of this process, for the recording.
#pragma once

#include "preload/mpi_library.h"

struct pyrometer_agent_table;

namespace pyrometer::preload {

// Nothing unless MPI is initialised.
void describe_world(const LoadedMpi& library, const pyrometer_agent_table& agent);

}  // namespace pyrometer::preload

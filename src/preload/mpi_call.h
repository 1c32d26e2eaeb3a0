// One call of the program, on its way to the MPI library.
#pragma once

#include "preload/mpi_library.h"

struct pyrometer_agent_table;

namespace pyrometer::preload {

// Tells the agent, if there is one, and calls the library.
Slot forward(FunctionId id, Binding binding, const Slot* slots);

// From now on `agent` is told.
void meet_agent(const pyrometer_agent_table* agent);

}  // namespace pyrometer::preload

// How a recorder learns of event loops: asyncio tells its own C module which loop a thread runs.
#pragma once

#include "collect/task_finder.h"
#include "collect/task_watch.h"

namespace pyrometer {

// Who is told of loops, once there are hooks. Both must stay.
void hear_of_loops(TaskWatch& watch, TaskFinder& finder);

// Needs the GIL. Without asyncio nothing is imported on the program's behalf.
void install_asyncio_hooks();

}  // namespace pyrometer

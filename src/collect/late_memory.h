// Memory where LD_PRELOAD could not come first: a program that records itself. The library before
// malloc is loaded into the running program, and stands before what its libraries import.
#pragma once

#include "base/result.h"
#include "os/memory_table.h"

namespace pyrometer {

// The library beside the agent, which stays loaded from then on. An error says why not.
Result<const pyrometer_memory_table*> load_memory_library();

// While memory is recorded, before Python's own allocator is; with the GIL.
void begin_late_memory(const pyrometer_memory_table& library);
void end_late_memory(const pyrometer_memory_table& library);

}  // namespace pyrometer

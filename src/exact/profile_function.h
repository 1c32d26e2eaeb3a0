// Events by the profile function that a thread can have, on 3.11. What another profiler has set is
// never taken away.
#pragma once

#include <cstddef>

#include "base/result.h"
#include "exact/call_counter.h"

namespace pyrometer {

// Of the calling thread.
Result<void> start_profile_function();
void stop_profile_function();

// Of another thread that waits for the GIL: false where another profiler has it. Of all of them:
// how many threads those are.
bool set_profile_function_of(PyThreadState* thread);
std::size_t set_profile_function_of_others();

// Threads that have the function for a recording alone give it up then, at their next event.
void note_recording_over(bool is_over);

}  // namespace pyrometer

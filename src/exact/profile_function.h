// Events by the profile function that a thread can have, on 3.11.
#pragma once

#include "base/result.h"
#include "exact/call_counter.h"

namespace pyrometer {

// Of the calling thread.
Result<void> start_profile_function();
void stop_profile_function();

// Of another thread that waits for the GIL.
void set_profile_function_of(PyThreadState* thread);

}  // namespace pyrometer

// Makes the interpreter tell us of calls: by sys.monitoring from 3.12 on, with a tool id of our
// own, so that other profilers, debuggers and coverage run beside us; before that by the one
// profile function that a thread can have.
#pragma once

#include <string>

#include "base/result.h"
#include "exact/call_counter.h"

namespace pyrometer {

// Whether events can be had at all; an error says why not. Called once, before anything else.
Result<void> prepare_call_events();

// From now on events of the calling thread (of all threads from 3.12 on) go to its counter for
// this user. `with_c_calls`: also of what is not written in Python.
Result<void> start_call_events(CounterUser user, bool with_c_calls);
// With `in_own_thread` in the thread that started them. What only that thread could take back on
// 3.11 stays otherwise, and finds nothing to count.
void stop_call_events(CounterUser user, bool with_c_calls, bool in_own_thread);

// For a recording in the middle of a program: also in threads that run already; and of no thread
// any more. In how many of them there are none, as another profiler has their only place.
std::size_t start_call_events_of_others();
void end_call_events(CounterUser user);

}  // namespace pyrometer

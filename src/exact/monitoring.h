// Events by sys.monitoring, 3.12 and newer.
#pragma once

#include "base/result.h"
#include "exact/call_counter.h"

namespace pyrometer {

// The first time with the GIL.
bool has_monitoring();

Result<void> start_monitoring(CounterUser user, bool with_c_calls);
void stop_monitoring(CounterUser user, bool with_c_calls);
void end_monitoring(CounterUser user);  // however many asked for it

// Events that were switched off come again, for kThrottledCalls calls of each function. From
// any thread.
void open_throttle_window();

}  // namespace pyrometer

// Events by sys.monitoring, 3.12 and newer.
#pragma once

#include "base/result.h"
#include "exact/call_counter.h"

namespace pyrometer {

Result<void> start_monitoring(CounterUser user, bool with_c_calls);
void stop_monitoring(CounterUser user, bool with_c_calls);

}  // namespace pyrometer

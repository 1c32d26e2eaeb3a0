// The timers of this process, as the Python objects share them. With the GIL.
#pragma once

#include "cpython/current_context.h"
#include "os/cycle_counter.h"
#include "timers/region_timers.h"

namespace pyrometer {

class OwnTimers {
 public:
  // Made at the first call.
  static OwnTimers& get() {
    static auto* timers = new OwnTimers;  // threads may come until the very end
    return *timers;
  }

  void enter(TimedRegion& region) {
    timers.enter(region, CurrentContext::get()).begin(clock.read());
  }
  bool leave(TimedRegion& region) {
    const std::uint64_t now = clock.read();
    return timers.leave(region, CurrentContext::get(), now);
  }

  RegionTimers timers;
  const CycleCounter& clock = CycleCounter::own();

 private:
  OwnTimers() { CurrentContext::prepare(); }
};

}  // namespace pyrometer

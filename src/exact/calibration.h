// What counting a call costs the program, measured inside it before it begins: loops of empty
// calls with and without counting.
#pragma once

#include "base/result.h"
#include "exact/call_counter.h"

namespace pyrometer {

// Per call, in counts of the clock: a part is charged to the callee, the rest to its caller.
struct CallbackCost {
  double callee = 0;
  double caller = 0;
  double sum() const { return callee + caller; }
};

struct CallbackCosts {
  CallbackCost python;  // of a function written in Python
  CallbackCost c;       // of any other
};

// Nobody may use the user's events meanwhile. Takes a millisecond or two; zeros where nothing
// could be measured, an error where there are no events.
Result<CallbackCosts> measure_call_costs(CounterUser user);

}  // namespace pyrometer

// What sampling costs the program, and the rate that keeps it under one per cent.
#pragma once

#include <cstdint>

#include "os/thread_timer.h"

namespace pyrometer {

class OwnCost {
 public:
  // `delivery` is what interrupting a thread costs beside the handler, in ns.
  OwnCost(std::int64_t wanted_rate, std::int64_t delivery)
      : wanted_rate_(wanted_rate), delivery_(delivery), rate_(wanted_rate) {}

  // Totals so far, in ns. `handler` is time in signal handlers, `session` the CPU time of our
  // own thread, `process` that of the whole process.
  void update(std::int64_t handler, std::uint64_t ticks, std::int64_t session,
              std::int64_t process);

  std::int64_t total() const { return latest_; }
  // The rate at which the last second would have cost at most the limit. Our own thread limits
  // itself (Session::watch_sleepers); the rate answers for the ticks, within what it leaves.
  std::int64_t fitting_rate() const { return rate_; }

 private:
  static constexpr double kLimit = 0.01;
  static constexpr double kLeastForTicks = 0.5;  // of the limit
  static constexpr std::int64_t kLowestRate = 10;

  std::int64_t wanted_rate_;
  std::int64_t delivery_;
  std::int64_t rate_;
  std::int64_t latest_ = 0;
  std::int64_t total_ = 0;  // when the rate was last judged
  std::int64_t session_ = 0;
  std::int64_t process_ = 0;
};

// Of the timer interrupt and the signal, which no handler can see, as measured on machines of
// this kind: a guest pays dearly for each interrupt, and a timer of perf's that does not trap
// takes two.
std::int64_t usual_delivery_cost(TimerKind kind, bool traps);

}  // namespace pyrometer

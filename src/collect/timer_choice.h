// Which timer a thread gets, and when it gets a second one. A CPU timer is cheap, as it strikes
// at the kernel's ticks: the first choice for rates that ticks can make. perf's clock strikes at
// any rate but never inside the kernel, so a thread that works there is given a CPU timer as
// well, whose strike falls to the call that did the work.
#pragma once

#include <cstdint>

#include "collect/options.h"
#include "collect/sampled_thread.h"
#include "collect/tick.h"

namespace pyrometer {

class TimerChoice {
 public:
  explicit TimerChoice(const AgentOptions& options);

  // Whether threads get a perf timer first.
  bool prefers_perf() const { return use_perf_ && !prefer_cpu_timers_; }

  // Gives the thread its first timer. False: the system refuses both kinds.
  bool start(SampledThread& thread, TickSignals signals, std::int64_t period);
  void stop(SampledThread& thread);
  // For CPU timers: of perf's, the handler sets the period itself, right after a strike, where
  // nothing of the running one is lost.
  void set_period(SampledThread& thread, std::int64_t period);

  // What one thread's timer did lately, for review().
  struct History {
    std::int64_t cpu = 0, system = 0;  // as of the last review
    int calm_reviews = 0;              // in a row in which the kernel had little to do
    int blocked_signal = 0;            // which of ours the thread does not let through
  };
  // Looks at what the samples say and adds or removes the second timer; starts a new one where
  // the program closed ours.
  void review(SampledThread& thread, History& history, TickSignals signals, std::int64_t period);

  const char* kind_in_use() const { return perf_was_used_ ? "perf" : "timer"; }

 private:
  bool start_kind(SampledThread& thread, TimerKind kind, TickSignals signals, std::int64_t period);
  bool may_watch_kernel() const;
  void watch_kernel(SampledThread& thread, bool is_wanted, TickSignals signals,
                    std::int64_t period);

  bool use_perf_;
  bool use_cpu_timers_;
  bool prefer_cpu_timers_;
  bool perf_was_used_ = false;
  int perf_timers_ = 0;  // each is a descriptor of the program's
};

}  // namespace pyrometer

// A rank that waits in MPI gives its core away all the time, so that the kernel's ticks hardly ever
// meet it: samples alone would charge its waiting to whatever comes next. So during calls that take
// long the sampler's clocks of that thread stand still, and the calls are measured by the clock.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <limits>
#include <optional>

#include "os/clocks.h"
#include "os/cycle_counter.h"

namespace pyrometer {

class MpiClocks {
 public:
  // In ns, what passed while the clocks stood still.
  struct Missed {
    std::int64_t wall = 0, cpu = 0, system = 0;
  };

  // How long a call must take for this to cost less than a hundredth of it. Measured here and now:
  // clocks are many times dearer in some virtual machines. In counts of the CycleCounter.
  static std::uint64_t least_time_of_calls() {
    // A quarter of a hundredth in a loop as this one: caches are cold after a real call, and what
    // one rank spends others wait for.
    constexpr std::uint64_t kCosts = 400;
    const CycleCounter& counter = CycleCounter::own();
    std::uint64_t cost = std::numeric_limits<std::uint64_t>::max();
    for (int i = 0; i < 9; ++i) {
      MpiClocks clocks;
      const std::uint64_t begin = counter.read();
      clocks.stop();
      clocks.go_on();
      cost = std::min(cost, counter.read() - begin);
    }
    return cost * kCosts;
  }

  // ---- for the thread itself
  void stop() {
    since_.cpu = own_thread_cpu();
    since_.system = own_system_time();
    since_.wall = monotonic_now();
    stopped_since_.store(since_.wall, std::memory_order_release);
  }
  bool are_stopped() const { return stopped_since_.load(std::memory_order_relaxed) != 0; }
  // How long they stood still.
  std::int64_t go_on() {
    const std::int64_t wall = monotonic_now() - since_.wall;
    add(missed_wall_, wall);
    add(missed_cpu_, own_thread_cpu() - since_.cpu);
    add(missed_system_, own_system_time() - since_.system);
    stopped_since_.store(0, std::memory_order_release);
    return wall;
  }

  // ---- for its signal handler and for the session's thread
  // On the monotonic clock; 0: they go.
  std::int64_t stopped_since() const { return stopped_since_.load(std::memory_order_acquire); }
  // Nothing while they stand still, as then nobody needs to know.
  std::optional<Missed> missed() const {
    if (stopped_since() != 0) return std::nullopt;
    const Missed missed{missed_wall_.load(std::memory_order_acquire),
                        missed_cpu_.load(std::memory_order_acquire),
                        missed_system_.load(std::memory_order_acquire)};
    if (stopped_since() != 0 || missed_wall_.load(std::memory_order_relaxed) != missed.wall) {
      return std::nullopt;
    }
    return missed;
  }

 private:
  static void add(std::atomic<std::int64_t>& sum, std::int64_t more) {
    sum.store(sum.load(std::memory_order_relaxed) + more, std::memory_order_release);
  }

  Missed since_;  // the thread's own
  std::atomic<std::int64_t> stopped_since_{0};
  std::atomic<std::int64_t> missed_wall_{0}, missed_cpu_{0}, missed_system_{0};
};

}  // namespace pyrometer

// Interrupts one thread with a signal each time it has used a period of CPU time. Two kinds:
// a perf_event task clock (any rate, never strikes inside the kernel, and each strike is a timer
// interrupt of its own) and a POSIX CPU timer (at the kernel's ticks only, which come anyway;
// strikes at the end of the system call that used the time).
// Neither wakes a thread that sleeps, so no system call is interrupted.
#pragma once

#include <time.h>

#include <cstdint>
#include <optional>

namespace pyrometer {

enum class TimerKind : std::uint8_t { kPerf, kCpuTimer };

class ThreadTimer {
 public:
  // Strikes after `first` ns of CPU time, then after each `period`; of perf's kind, which has no
  // such notion, after each `first` until it is told a period. Nothing when the system refuses.
  // One of perf's kind waits for go(): a short `first` leaves its thread no time to do anything
  // else, so whoever can lengthen it must know of it before. With SIGTRAP it strikes by a trap on
  // the way back to user mode, where any other signal takes an interrupt more.
  static std::optional<ThreadTimer> start(TimerKind kind, int tid, int signal, std::int64_t first,
                                          std::int64_t period);

  ThreadTimer(ThreadTimer&& other) noexcept;
  ThreadTimer& operator=(ThreadTimer&& other) noexcept;
  ThreadTimer(const ThreadTimer&) = delete;
  ThreadTimer& operator=(const ThreadTimer&) = delete;
  ~ThreadTimer() { stop(); }

  TimerKind kind() const { return kind_; }
  bool go() const;  // false: the system refuses

  // Of a CPU timer: interruptions come after `period` ns of CPU time each. The running period
  // goes on, or threads that live less than one would never be struck.
  void set_period(std::int64_t period) const;
  int perf_descriptor() const { return kind_ == TimerKind::kPerf ? fd_ : -1; }

  // False when the program closed the descriptor behind it: start another one.
  bool is_alive() const;

  // In a forked child the timer is the parent's: forget it without touching it.
  void forget_after_fork();

  // A CPU timer is looked at when the kernel ticks: it strikes no more often than this, in ns.
  static std::int64_t shortest_cpu_period();

  // Whether a CPU timer's signal can become pending inside a system call and interrupt it
  // (kernels before 5.11).
  static bool cpu_timer_may_interrupt_calls();

  // Whether perf's traps wait for a thread that blocks or ignores them (kernels from 5.18 on):
  // before, they ended the process.
  static bool perf_may_trap();

 private:
  static bool set_cpu_timer(timer_t timer, std::int64_t first, std::int64_t period);
  ThreadTimer(TimerKind kind, int fd, std::uint64_t event, timer_t timer)
      : kind_(kind), fd_(fd), event_(event), timer_(timer), is_set_(true) {}
  void stop();

  TimerKind kind_;
  int fd_ = -1;
  std::uint64_t event_ = 0;  // the kernel's id of the event behind fd_
  timer_t timer_ = nullptr;
  bool is_set_ = false;
};

// The same for perf's kind, by its descriptor. Async-signal-safe.
void set_perf_period(int descriptor, std::int64_t period);

}  // namespace pyrometer

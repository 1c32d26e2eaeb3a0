// The signal handler: one tick of a thread's CPU clock becomes one sample of it.
#pragma once

#include <atomic>
#include <cstdint>

#include "collect/frame_context.h"
#include "collect/sampled_thread.h"

namespace pyrometer {

// What the handler needs, set before the first tick and valid until the process ends.
struct TickContext : FrameContext {
  std::atomic<std::int64_t> period{5'000'000};  // ns of CPU between samples of a thread
};

// The signals by which threads tick: a real-time one, and where the user allowed it SIGTRAP, by
// which perf's timers cost less. Not by default: a library that puts its own handler in our place,
// as those that report crashes do, would take a tick for the end of the program. 0: none.
struct TickSignals {
  int usual = 0;
  int trap = 0;

  int of(TimerKind kind) const { return kind == TimerKind::kPerf && trap != 0 ? trap : usual; }
};

// A signal nobody uses, with our handler; 0 when there is none. The context must stay.
int install_tick_handler(TickContext& context);
// SIGTRAP with our handler; 0 where somebody uses it, or where perf's traps could end the process.
int install_trap_handler();
// False when the program put another handler in its place.
bool is_tick_handler_installed(int signal);

// Ticks become samples from here on.
void begin_ticks();
// Those that come late do nothing. None is at work any more when this returns: what they use may be
// changed, or go.
void end_ticks();
void forget_ticks_of_parent();  // in a forked child

// Threads find themselves by their thread id the first time they tick.
void publish_thread(SampledThread& thread);
void withdraw_thread(SampledThread& thread);
void forget_all_threads();  // in a forked child, where they are not, and before a new recording
// The calling thread is sampled as `thread` from now on; nullptr: not at all.
void set_own_thread(SampledThread* thread);
SampledThread* own_thread();

}  // namespace pyrometer

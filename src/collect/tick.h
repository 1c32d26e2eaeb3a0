// The signal handler: one tick of a thread's CPU clock becomes one sample of it.
#pragma once

#include <atomic>
#include <cstdint>

#include "collect/code_table.h"
#include "collect/sampled_thread.h"
#include "cpython/layout.h"
#include "cpython/symbols.h"

namespace pyrometer {

// What the handler needs, set before the first tick and valid until the process ends.
struct TickContext {
  Symbols symbols;
  Layout layout;
  CodeTable* codes = nullptr;
  std::atomic<std::int64_t> period{5'000'000};  // ns of CPU between samples of a thread
};

// A signal nobody uses, with our handler; 0 when there is none. The context must stay.
int install_tick_handler(TickContext& context);
// False when the program put another handler in its place.
bool is_tick_handler_installed(int signal);

// Threads find themselves by their thread id the first time they tick.
void publish_thread(SampledThread& thread);
void withdraw_thread(SampledThread& thread);
void forget_all_threads();  // in a forked child, where they are not
// The calling thread is sampled as `thread` from now on; nullptr: not at all.
void set_own_thread(SampledThread* thread);
SampledThread* own_thread();

}  // namespace pyrometer

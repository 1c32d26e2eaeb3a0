#include "collect/tick.h"

#include <array>
#include <cerrno>
#include <csignal>

#include "os/clocks.h"
#include "os/interrupted_context.h"
#include "os/own_thread.h"

namespace pyrometer {
namespace {

TickContext* context = nullptr;

// One pointer of the small static block: reading it in a handler needs no allocation.
thread_local SampledThread* own [[gnu::tls_model("initial-exec")]] = nullptr;
thread_local bool is_excluded [[gnu::tls_model("initial-exec")]] = false;

// Threads by their id, for those that we found and that did not come to us.
constexpr std::size_t kPlaces = 1U << 14;
std::array<std::atomic<SampledThread*>, kPlaces> places{};

std::atomic<SampledThread*>* place_of(int tid, bool wants_free) {
  for (std::size_t i = 0; i < kPlaces; ++i) {
    auto& place = places[(static_cast<std::size_t>(tid) + i) % kPlaces];
    const SampledThread* held = place.load(std::memory_order_acquire);
    if (held == nullptr) return wants_free ? &place : nullptr;
    if (held->tid == tid) return &place;
    constexpr std::size_t kFarthest = 64;
    if (i == kFarthest && !wants_free) return nullptr;
  }
  return nullptr;
}

SampledThread* find_own_thread() {
  if (own != nullptr || is_excluded) return own;
  const auto* place = place_of(own_tid(), false);
  own = place == nullptr ? nullptr : place->load(std::memory_order_acquire);
  return own;
}

// The thread's place in the program as a node of its call tree.
std::uint32_t intern(SampledThread& thread, OwnMemory& memory, std::span<const RawFrame> frames,
                     bool is_truncated) {
  std::uint32_t node = CallTree::kRoot;
  if (is_truncated) node = thread.tree.child({CallTree::kRoot, CodeTable::kDeeper, 0});
  if (node == CallTree::kNoRoom) return node;
  for (std::size_t i = frames.size(); i-- > 0;) {
    const std::uint32_t code = context->codes->identify(memory, frames[i].code);
    if (code == CodeTable::kShim) continue;
    if (code == CodeTable::kUnknown) return CallTree::kNoRoom;
    const std::uint32_t next = thread.tree.child({node, code, frames[i].instruction});
    if (next == CallTree::kNoRoom) return thread.tree.can_grow() ? next : node;
    node = next;
  }
  return node;
}

// Finds the Python frames; false: no sample can be made of this moment.
bool find_node(SampledThread& thread, const InterruptedContext& at, Sample& sample) {
  const Symbols& symbols = context->symbols;
  if (symbols.is_finalizing() != 0) {
    sample.is_shutdown = true;
    thread.thread_state.store(0, std::memory_order_relaxed);
    return true;
  }
  auto state = reinterpret_cast<std::uintptr_t>(symbols.own_thread_state());
  const std::uintptr_t stack_high = thread.stack_high.load(std::memory_order_relaxed);
  if (thread.thread_state.load(std::memory_order_relaxed) != state) {
    thread.thread_state.store(state, std::memory_order_release);
  }
  if (state == 0) return true;  // native code that Python knows nothing of
  if (stack_high == 0) {
    thread.stack_seen.store(at.stack_pointer, std::memory_order_release);
    return false;
  }
  OwnMemory memory;
  FrameWalker walker(memory, context->layout, state, {at.stack_pointer - kRedZone, stack_high},
                     [](std::uintptr_t code) { return context->codes->knows(code); });
  const Walk walk = walker.walk(thread.frames());
  if (walk.status == WalkStatus::kRejected) {
    thread.rejected.fetch_add(1, std::memory_order_relaxed);
    return false;
  }
  sample.node = intern(thread, memory, thread.frames().first(walk.depth),
                       walk.status == WalkStatus::kTruncated);
  if (sample.node != CallTree::kNoRoom) return true;
  thread.lost.fetch_add(1, std::memory_order_relaxed);
  return false;
}

// A random period around the wanted one never keeps step with what the program does. Setting it
// makes the kernel program its timer anew, which virtual machines pay for dearly: not each time,
// and only right after a strike, as the period begins anew.
void randomise_period(SampledThread& thread) {
  constexpr std::uint64_t kTicksPerPeriod = 4;
  const int descriptor = thread.perf_descriptor.load(std::memory_order_relaxed);
  if (descriptor < 0 || ++thread.ticks % kTicksPerPeriod != 0) return;
  std::uint64_t& x = thread.random;
  x ^= x << 13U;
  x ^= x >> 7U;
  x ^= x << 17U;
  const std::int64_t wanted = context->period.load(std::memory_order_relaxed);
  const std::int64_t period =
      wanted / 2 + static_cast<std::int64_t>(x % static_cast<std::uint64_t>(wanted));
  set_perf_period(descriptor, period);
  thread.perf_period.store(period, std::memory_order_relaxed);
}

// What a sample stands for. With one timer that is all since the last one. With two, perf's
// strikes in user mode stand for a period each, and what they leave over was spent in the
// kernel: it goes to the strikes of the other timer at the end of a system call. (Page faults
// have no such end, so it does not wait for ever.) False: this strike stands for nothing.
bool weigh(const SampledThread& thread, bool is_kernel_tick, Sample& sample, std::int64_t cpu,
           std::int64_t system) {
  sample.cpu = std::max<std::int64_t>(0, cpu - thread.last_cpu);
  if (!thread.has_kernel_timer.load(std::memory_order_relaxed)) {
    sample.system = std::clamp<std::int64_t>(system - thread.last_system, 0, sample.cpu);
    return sample.cpu > 0;
  }
  if (!is_kernel_tick) {
    sample.cpu = thread.perf_period.load(std::memory_order_relaxed);
    return true;
  }
  constexpr std::int64_t kPatience = 50'000'000;
  sample.system = sample.cpu;
  return sample.cpu > (sample.after_system_call ? 0 : kPatience);
}

void take_sample(SampledThread& thread, const siginfo_t& info, const void* interrupted) {
  // By the CPU clock: a handler that was itself interrupted must not look expensive.
  const std::int64_t cpu = own_thread_cpu();
  const std::int64_t system = own_system_time();
  const InterruptedContext at = interrupted_context(interrupted);
  Sample sample{.time = monotonic_now(),
                .program_counter = at.program_counter,
                .after_system_call = at.after_system_call};
  // What a sample that fails stood for is counted by a later one: last_cpu stays.
  const bool is_cpu_timer = info.si_code == SI_TIMER;
  if (weigh(thread, is_cpu_timer, sample, cpu, system) && find_node(thread, at, sample)) {
    if (thread.samples.push(sample)) {
      thread.last_cpu += sample.cpu;
      thread.last_system = system;
      thread.taken.fetch_add(1, std::memory_order_relaxed);
    } else {
      thread.lost.fetch_add(1, std::memory_order_relaxed);
    }
  }
  thread.sampled_cpu.store(cpu, std::memory_order_relaxed);
  thread.sampled_system.store(system, std::memory_order_relaxed);
  if (!is_cpu_timer) randomise_period(thread);
  thread.handler_time.fetch_add(own_thread_cpu() - cpu, std::memory_order_relaxed);
}

void on_tick(int, siginfo_t* info, void* interrupted) {
  const int saved_errno = errno;
  SampledThread* thread = find_own_thread();
  if (thread != nullptr) take_sample(*thread, *info, interrupted);
  errno = saved_errno;
}

}  // namespace

int install_tick_handler(TickContext& tick_context) {
  context = &tick_context;
  struct sigaction action {};
  action.sa_sigaction = on_tick;
  // On the alternate stack where a thread has one: its own may be nearly used up.
  action.sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK;
  sigfillset(&action.sa_mask);
  for (const int fault : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP}) {
    sigdelset(&action.sa_mask, fault);
  }
  // From the middle upwards: libraries take the first and the last ones.
  for (int signal = SIGRTMIN + 14; signal <= SIGRTMAX; ++signal) {
    struct sigaction current {};
    if (sigaction(signal, nullptr, &current) != 0 || current.sa_handler != SIG_DFL) continue;
    if (sigaction(signal, &action, nullptr) == 0) return signal;
  }
  return 0;
}

bool is_tick_handler_installed(int signal) {
  struct sigaction current {};
  return sigaction(signal, nullptr, &current) == 0 && (current.sa_flags & SA_SIGINFO) != 0 &&
         current.sa_sigaction == on_tick;
}

void publish_thread(SampledThread& thread) {
  if (auto* place = place_of(thread.tid, true)) place->store(&thread, std::memory_order_release);
}

void withdraw_thread(SampledThread& thread) {
  auto* place = place_of(thread.tid, false);
  if (place == nullptr || place->load() != &thread) return;
  // Those behind it must be found without it: put them in again.
  place->store(nullptr, std::memory_order_release);
  for (std::size_t i = static_cast<std::size_t>(place - places.data()) + 1;; ++i) {
    auto& next = places[i % kPlaces];
    SampledThread* held = next.load(std::memory_order_acquire);
    if (held == nullptr) return;
    next.store(nullptr, std::memory_order_release);
    publish_thread(*held);
  }
}

void forget_all_threads() {
  for (auto& place : places) {
    if (place.load(std::memory_order_relaxed) != nullptr) place.store(nullptr);
  }
  set_own_thread(nullptr);
}

void set_own_thread(SampledThread* thread) {
  own = thread;
  is_excluded = thread == nullptr;
}

SampledThread* own_thread() { return own; }

}  // namespace pyrometer

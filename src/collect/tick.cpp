#include "collect/tick.h"

#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "os/clocks.h"
#include "os/interrupted_context.h"

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
  const auto tid = static_cast<int>(syscall(SYS_gettid));
  const auto* place = place_of(tid, false);
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
  FrameWalker walker(memory, context->layout, state, {at.stack_pointer - kRedZone, stack_high});
  const Walk walk = walker.walk(thread.frames());
  if (walk.status == WalkStatus::kRejected) {
    thread.rejected.fetch_add(1, std::memory_order_relaxed);
    return false;
  }
  sample.node = intern(thread, memory, thread.frames().first(walk.depth),
                       walk.status == WalkStatus::kTruncated);
  return sample.node != CallTree::kNoRoom;
}

// A random period around the wanted one never keeps step with what the program does.
void randomise_period(SampledThread& thread) {
  const int descriptor = thread.perf_descriptor.load(std::memory_order_relaxed);
  if (descriptor < 0) return;
  std::uint64_t& x = thread.random;
  x ^= x << 13U;
  x ^= x >> 7U;
  x ^= x << 17U;
  const std::int64_t period = context->period.load(std::memory_order_relaxed);
  set_perf_period(descriptor,
                  period / 2 + static_cast<std::int64_t>(x % static_cast<std::uint64_t>(period)));
}

// With a timer of its own for the kernel, time spent there belongs to the samples that struck at
// the end of a system call; one that struck elsewhere leaves it to them. Not for ever: page
// faults are the kernel's work too, and have no such end.
std::int64_t system_time_left_for_later(const SampledThread& thread, const Sample& sample) {
  constexpr std::int64_t kPatience = 50'000'000;
  const bool is_left = thread.has_kernel_timer.load(std::memory_order_relaxed) &&
                       !sample.after_system_call && sample.system < kPatience;
  return is_left ? sample.system : 0;
}

void take_sample(SampledThread& thread, const void* interrupted) {
  // By the CPU clock: a handler that was itself interrupted must not look expensive.
  const std::int64_t cpu = own_thread_cpu();
  const InterruptedContext at = interrupted_context(interrupted);
  Sample sample{.time = monotonic_now(),
                .program_counter = at.program_counter,
                .after_system_call = at.after_system_call};
  // What a sample that fails stood for is counted by the next one: last_cpu stays.
  if (find_node(thread, at, sample)) {
    const std::int64_t system = own_system_time();
    sample.cpu = cpu - thread.last_cpu;
    sample.system = std::clamp<std::int64_t>(system - thread.last_system, 0, sample.cpu);
    const std::int64_t left = system_time_left_for_later(thread, sample);
    sample.cpu -= left;
    sample.system -= left;
    if (thread.samples.push(sample)) {
      thread.last_cpu = cpu - left;
      thread.last_system = system - left;
      thread.sampled_cpu.store(cpu, std::memory_order_relaxed);
      thread.sampled_system.store(system, std::memory_order_relaxed);
      thread.taken.fetch_add(1, std::memory_order_relaxed);
    } else {
      thread.lost.fetch_add(1, std::memory_order_relaxed);
    }
  }
  randomise_period(thread);
  thread.handler_time.fetch_add(own_thread_cpu() - cpu, std::memory_order_relaxed);
}

void on_tick(int, siginfo_t*, void* interrupted) {
  const int saved_errno = errno;
  SampledThread* thread = find_own_thread();
  if (thread != nullptr) take_sample(*thread, interrupted);
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

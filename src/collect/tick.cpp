#include "collect/tick.h"

#include <sched.h>

#include <array>
#include <cerrno>
#include <csignal>

#include "collect/mpi_recording.h"
#include "os/clocks.h"
#include "os/interrupted_context.h"
#include "os/own_thread.h"

namespace pyrometer {
namespace {

TickContext* context = nullptr;

std::atomic<bool> are_ticks_wanted{false};
std::atomic<int> ticks_at_work{0};

// One pointer of the small static block: reading it in a handler needs no allocation.
thread_local SampledThread* own [[gnu::tls_model("initial-exec")]] = nullptr;
thread_local bool is_excluded [[gnu::tls_model("initial-exec")]] = false;
// What a thread knew of an earlier recording is not true of the next.
thread_local std::uint32_t own_recording [[gnu::tls_model("initial-exec")]] = 0;
std::atomic<std::uint32_t> recording_number{0};

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
  const std::uint32_t recording = recording_number.load(std::memory_order_relaxed);
  if (own_recording != recording) {
    own_recording = recording;
    own = nullptr;
    is_excluded = false;
  }
  if (own != nullptr || is_excluded) return own;
  const auto* place = place_of(own_tid(), false);
  own = place == nullptr ? nullptr : place->load(std::memory_order_acquire);
  return own;
}

// The thread's place in the program as a node of its call tree. `coroutine` gets that of a frame.
struct FrameNode {
  std::size_t frame = SIZE_MAX;
  std::uint32_t node = CallTree::kRoot;
};
std::uint32_t intern(SampledThread& thread, OwnMemory& memory, std::span<const RawFrame> frames,
                     bool is_truncated, FrameNode& coroutine) {
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
    if (i == coroutine.frame) coroutine.node = node;
  }
  return node;
}

void note_task(const TaskFinder::Found& task, std::uint32_t node, std::uintptr_t state,
               Sample& sample) {
  sample.coroutine_frame = task.frame;
  sample.coroutine_node = node;
  sample.coroutine_frames = static_cast<std::uint32_t>(task.coroutine - task.innermost + 1);
  const std::size_t step = context->tasks->step_offset();
  if (step != 0) sample.step = load<std::uint64_t>(reinterpret_cast<const char*>(state) + step);
}

// Inside MPI there is nothing to look for: whoever called it was noted on the way in.
bool find_mpi_site(SampledThread& thread, Sample& sample) {
  const MpiThread* mpi = own_mpi_thread();
  if (mpi == nullptr) return false;
  thread.mpi.store(mpi, std::memory_order_release);
  const auto site = mpi->running();
  if (!site) return false;
  sample.is_mpi = true;
  sample.node = *site;
  return true;
}

// Finds the Python frames; false: no sample can be made of this moment.
bool find_node(SampledThread& thread, const InterruptedContext& at, Sample& sample) {
  if (find_mpi_site(thread, sample)) return true;
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
  const std::span<const RawFrame> frames = thread.frames().first(walk.depth);
  TaskFinder::Found task;  // none: its frame is nowhere
  if (context->tasks != nullptr) task = context->tasks->find(frames).value_or(task);
  const bool is_in_task = task.frame != 0;
  FrameNode coroutine{.frame = is_in_task ? task.innermost : SIZE_MAX};
  sample.node = intern(thread, memory, frames, walk.status == WalkStatus::kTruncated, coroutine);
  if (is_in_task && coroutine.node != CallTree::kRoot) {
    note_task(task, coroutine.node, state, sample);
  }
  if (sample.node != CallTree::kNoRoom) return true;
  thread.lost.fetch_add(1, std::memory_order_relaxed);
  return false;
}

// On a slow machine, ticks of a high rate can take longer than the time between them: the thread
// would do nothing else any more, and signals would pile up until the user has no more of them.
void leave_time_for_work(SampledThread& thread, int signal) {
  constexpr std::int64_t kHarmlessPeriod = 500'000;  // ns
  constexpr std::uint32_t kManyTicks = 64;
  constexpr std::int64_t kLongest = 1 << 10;
  const std::int64_t period = context->period.load(std::memory_order_relaxed) * thread.slowdown;
  if (period > kHarmlessPeriod) return;
  sigset_t pending;
  sigpending(&pending);
  thread.breathless = sigismember(&pending, signal) == 1 ? thread.breathless + 1 : 0;
  if (thread.breathless < kManyTicks) return;
  thread.breathless = 0;
  if (thread.slowdown < kLongest) thread.slowdown *= 2;
}

// A random period around the wanted one never keeps step with what the program does. Setting it
// makes the kernel program its timer anew, which virtual machines pay for dearly: not each time,
// and only right after a strike, as the period begins anew.
void randomise_period(SampledThread& thread) {
  constexpr std::uint64_t kTicksPerPeriod = 8;
  const int descriptor = thread.perf_descriptor.load(std::memory_order_relaxed);
  if (descriptor < 0 || ++thread.ticks % kTicksPerPeriod != 0) return;
  std::uint64_t& x = thread.random;
  x ^= x << 13U;
  x ^= x >> 7U;
  x ^= x << 17U;
  const std::int64_t wanted = context->period.load(std::memory_order_relaxed) * thread.slowdown;
  const std::int64_t period =
      wanted / 2 + static_cast<std::int64_t>(x % static_cast<std::uint64_t>(wanted));
  set_perf_period(descriptor, period);
  thread.perf_period.store(period, std::memory_order_relaxed);
}

// What a sample stands for. With one timer that is all since the last one. With two, perf's
// strikes in user mode stand for a period each, and what they leave over was spent in the
// kernel: it goes to the strikes of the other timer at the end of a system call. (Page faults
// have no such end, so it does not wait for ever.) False: this strike stands for nothing.
bool weigh(const SampledThread& thread, std::int64_t perf_period, Sample& sample, std::int64_t cpu,
           std::int64_t system) {
  sample.cpu = std::max<std::int64_t>(0, cpu - thread.last_cpu);
  if (!thread.has_kernel_timer.load(std::memory_order_relaxed)) {
    sample.system = std::clamp<std::int64_t>(system - thread.last_system, 0, sample.cpu);
    return sample.cpu > 0;
  }
  if (perf_period != 0) {
    sample.cpu = perf_period;
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
  // Before anything else: the first period may be shorter than what is to be done now.
  const bool is_perf = info.si_code != SI_TIMER;
  const std::int64_t perf_period = is_perf ? thread.perf_period.load(std::memory_order_relaxed) : 0;
  if (is_perf) {
    leave_time_for_work(thread, info.si_signo);
    randomise_period(thread);
  }
  const InterruptedContext at = interrupted_context(interrupted);
  Sample sample{.time = monotonic_now(),
                .program_counter = at.program_counter,
                .after_system_call = at.after_system_call};
  // What a sample that fails stood for is counted by a later one: last_cpu stays. In long MPI calls
  // the clocks stand still.
  const auto missed = missed_in_mpi();
  if (missed && thread.last_system == SampledThread::kNotKnown) {
    thread.last_system = system - missed->system;
  }
  if (missed && weigh(thread, perf_period, sample, cpu - missed->cpu, system - missed->system) &&
      find_node(thread, at, sample)) {
    if (thread.samples.push(sample)) {
      thread.last_cpu += sample.cpu;
      thread.last_system = system - missed->system;
      thread.taken.fetch_add(1, std::memory_order_relaxed);
    } else {
      thread.lost.fetch_add(1, std::memory_order_relaxed);
    }
  }
  thread.sampled_cpu.store(cpu, std::memory_order_relaxed);
  thread.sampled_system.store(system, std::memory_order_relaxed);
  thread.handler_time.fetch_add(own_thread_cpu() - cpu, std::memory_order_relaxed);
}

void on_tick(int, siginfo_t* info, void* interrupted) {
  const int saved_errno = errno;
  ++ticks_at_work;
  if (are_ticks_wanted) {
    SampledThread* thread = find_own_thread();
    if (thread != nullptr) take_sample(*thread, *info, interrupted);
  }
  --ticks_at_work;
  errno = saved_errno;
}

// What is ours is a tick; what somebody else sent does what it did without us.
void tick_or_die(bool is_ours, int signal, siginfo_t* info, void* interrupted) {
  if (is_ours) {
    on_tick(signal, info, interrupted);
    return;
  }
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

// When the user's queue of signals is full, the kernel says SIGIO instead, which would kill.
void on_sigio(int signal, siginfo_t* info, void* interrupted) {
  tick_or_die(info->si_code == SI_KERNEL, signal, info, interrupted);
}

void on_trap(int signal, siginfo_t* info, void* interrupted) {
  constexpr int kTrapOfPerf = 6;  // TRAP_PERF, which older C libraries do not name
  tick_or_die(info->si_code == kTrapOfPerf, signal, info, interrupted);
}

using Handler = void (*)(int, siginfo_t*, void*);

struct sigaction action_with(Handler handler) {
  struct sigaction action {};
  action.sa_sigaction = handler;
  // On the alternate stack where a thread has one: its own may be nearly used up.
  action.sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK;
  sigfillset(&action.sa_mask);
  for (const int fault : {SIGSEGV, SIGBUS, SIGILL, SIGFPE}) sigdelset(&action.sa_mask, fault);
  return action;
}

bool has_handler(int signal, Handler handler) {
  struct sigaction current {};
  return sigaction(signal, nullptr, &current) == 0 && (current.sa_flags & SA_SIGINFO) != 0 &&
         current.sa_sigaction == handler;
}

// False: somebody uses the signal.
bool install_handler(int signal, Handler handler) {
  struct sigaction current {};
  if (sigaction(signal, nullptr, &current) != 0 || current.sa_handler != SIG_DFL) return false;
  const struct sigaction action = action_with(handler);
  return sigaction(signal, &action, nullptr) == 0;
}

}  // namespace

int install_tick_handler(TickContext& tick_context) {
  context = &tick_context;
  install_handler(SIGIO, on_sigio);
  // From the middle upwards: libraries take the first and the last ones.
  for (int signal = SIGRTMIN + 14; signal <= SIGRTMAX; ++signal) {
    if (install_handler(signal, on_tick)) return signal;
  }
  return 0;
}

int install_trap_handler() {
  if (!ThreadTimer::perf_may_trap()) return 0;
  const bool is_ours = has_handler(SIGTRAP, on_trap) || install_handler(SIGTRAP, on_trap);
  return is_ours ? SIGTRAP : 0;
}

bool is_tick_handler_installed(int signal) {
  return has_handler(signal, signal == SIGTRAP ? on_trap : on_tick);
}

void begin_ticks() { are_ticks_wanted = true; }

void end_ticks() {
  are_ticks_wanted = false;
  while (ticks_at_work != 0) sched_yield();
}

void forget_ticks_of_parent() { ticks_at_work = 0; }

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
  ++recording_number;
  set_own_thread(nullptr);
}

void set_own_thread(SampledThread* thread) {
  own_recording = recording_number.load(std::memory_order_relaxed);
  own = thread;
  is_excluded = thread == nullptr;
}

SampledThread* own_thread() {
  return own_recording == recording_number.load(std::memory_order_relaxed) ? own : nullptr;
}

}  // namespace pyrometer

#include "collect/timer_choice.h"

#include <sys/resource.h>

#include <algorithm>
#include <utility>

#include "os/clocks.h"
#include "os/task_files.h"

namespace pyrometer {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;
constexpr int kMostPerfTimers = 64;
// The kernel counts system time in ticks of some milliseconds: less than this tells nothing.
constexpr std::int64_t kReviewedCpu = 250'000'000;
constexpr double kMuchSystemTime = 0.03;
constexpr double kLittleSystemTime = 0.01;
constexpr int kCalmReviews = 2;

// Of the second timer. It strikes in user mode too, in vain: where the kernel has little to do,
// seldom is enough.
std::int64_t kernel_period(std::int64_t period, double system_share) {
  constexpr double kMostlyInTheKernel = 0.2;
  constexpr std::int64_t kOften = 4'000'000;  // shorter than a tick would gain nothing
  constexpr std::int64_t kSeldom = 20'000'000;
  return std::max(period, system_share > kMostlyInTheKernel ? kOften : kSeldom);
}

// When the queue of signals is full, the kernel sends SIGIO for a perf event, which kills.
bool signals_can_queue() {
  rlimit limit{};
  constexpr rlim_t kEnough = 1024;
  return getrlimit(RLIMIT_SIGPENDING, &limit) == 0 && limit.rlim_cur >= kEnough;
}

}  // namespace

TimerChoice::TimerChoice(const AgentOptions& options)
    : use_perf_(options.use_perf && signals_can_queue()),
      use_cpu_timers_(options.use_cpu_timers),
      prefer_cpu_timers_(use_cpu_timers_ && !options.use_traps &&
                         !ThreadTimer::cpu_timer_may_interrupt_calls() &&
                         kSecond / options.rate >= ThreadTimer::shortest_cpu_period()) {}

bool TimerChoice::start_kind(SampledThread& thread, TimerKind kind, TickSignals signals,
                             std::int64_t period) {
  stop(thread);
  // The kernel's ticks come at random moments of a thread's life: a CPU timer strikes at the
  // first, so that short threads are seen as often as their share of the time asks for.
  std::int64_t first = thread.first_period != 0 ? thread.first_period : period;
  if (kind == TimerKind::kCpuTimer) first = 1;
  thread.timer = ThreadTimer::start(kind, thread.tid, signals.of(kind), first, period);
  if (!thread.timer) return false;
  thread.first_period = 0;
  thread.perf_period.store(first);
  if (kind == TimerKind::kPerf) {
    ++perf_timers_;
    perf_was_used_ = true;
  }
  thread.perf_descriptor.store(thread.timer->perf_descriptor());
  if (thread.timer->go()) return true;
  stop(thread);
  return false;
}

bool TimerChoice::start(SampledThread& thread, TickSignals signals, std::int64_t period) {
  if (prefer_cpu_timers_ && start_kind(thread, TimerKind::kCpuTimer, signals, period)) return true;
  const bool may_perf = use_perf_ && perf_timers_ < kMostPerfTimers;
  if (may_perf && start_kind(thread, TimerKind::kPerf, signals, period)) {
    // Programs begin with work for the kernel; the second timer goes when there is none.
    if (may_watch_kernel()) watch_kernel(thread, true, signals, period);
    return true;
  }
  if (may_perf && !perf_was_used_ && use_cpu_timers_) use_perf_ = false;  // denied: not asked again
  return use_cpu_timers_ && start_kind(thread, TimerKind::kCpuTimer, signals, period);
}

void TimerChoice::stop(SampledThread& thread) {
  watch_kernel(thread, false, {}, 0);
  if (!thread.timer) return;
  thread.perf_descriptor.store(-1);
  if (thread.timer->kind() == TimerKind::kPerf) --perf_timers_;
  thread.timer.reset();
}

void TimerChoice::set_period(SampledThread& thread, std::int64_t period) {
  if (thread.timer && thread.timer->kind() == TimerKind::kCpuTimer) {
    thread.timer->set_period(period);
  }
  if (thread.kernel_timer) thread.kernel_timer->set_period(kernel_period(period, 1));
}

bool TimerChoice::may_watch_kernel() const {
  return use_cpu_timers_ && !ThreadTimer::cpu_timer_may_interrupt_calls();
}

void TimerChoice::watch_kernel(SampledThread& thread, bool is_wanted, TickSignals signals,
                               std::int64_t period) {
  if (is_wanted == thread.kernel_timer.has_value()) return;
  thread.kernel_timer.reset();
  if (is_wanted) {
    const std::int64_t tick = kernel_period(period, 1);
    thread.kernel_timer =
        ThreadTimer::start(TimerKind::kCpuTimer, thread.tid, signals.usual, tick, tick);
  }
  thread.has_kernel_timer.store(thread.kernel_timer.has_value());
}

void TimerChoice::review(SampledThread& thread, History& history, TickSignals signals,
                         std::int64_t period) {
  if (history.blocked_signal != 0) {
    if (is_signal_blocked(thread.tid, history.blocked_signal)) return;
    history.blocked_signal = 0;
    start(thread, signals, period);
    return;
  }
  if (!thread.timer || !thread.timer->is_alive()) {
    start(thread, signals, period);
    return;
  }
  const std::int64_t cpu = thread.sampled_cpu.load(std::memory_order_relaxed);
  const std::int64_t system = thread.sampled_system.load(std::memory_order_relaxed);
  const bool may_watch = thread.timer->kind() == TimerKind::kPerf && may_watch_kernel();

  // CPU time without samples: the signal is blocked, or the work is all in the kernel.
  const std::int64_t unseen = thread_cpu(thread.tid) - cpu;
  if (unseen > std::max(20 * period, kReviewedCpu)) {
    const int signal = signals.of(thread.timer->kind());
    if (is_signal_blocked(thread.tid, signal)) {
      stop(thread);
      history.blocked_signal = signal;
    } else if (may_watch) {
      watch_kernel(thread, true, signals, period);
    }
    return;
  }

  const std::int64_t ran = cpu - history.cpu;
  if (ran < kReviewedCpu) return;
  const double system_share =
      static_cast<double>(system - history.system) / static_cast<double>(ran);
  history.cpu = cpu;
  history.system = system;
  history.calm_reviews = system_share < kLittleSystemTime ? history.calm_reviews + 1 : 0;
  if (may_watch && system_share > kMuchSystemTime) watch_kernel(thread, true, signals, period);
  if (thread.kernel_timer) thread.kernel_timer->set_period(kernel_period(period, system_share));
  if (history.calm_reviews >= kCalmReviews) watch_kernel(thread, false, signals, period);
}

}  // namespace pyrometer

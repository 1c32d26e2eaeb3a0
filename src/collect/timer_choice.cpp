#include "collect/timer_choice.h"

#include <sys/resource.h>

#include <algorithm>

#include "os/clocks.h"
#include "os/task_files.h"

namespace pyrometer {
namespace {

constexpr int kMostPerfTimers = 64;
constexpr std::int64_t kReviewedCpu = 50'000'000;  // less tells nothing
constexpr double kMuchSystemTime = 0.03;
constexpr double kLittleSystemTime = 0.01;
constexpr int kCalmReviews = 20;

// When the queue of signals is full, the kernel sends SIGIO for a perf event, which kills.
bool signals_can_queue() {
  rlimit limit{};
  constexpr rlim_t kEnough = 1024;
  return getrlimit(RLIMIT_SIGPENDING, &limit) == 0 && limit.rlim_cur >= kEnough;
}

}  // namespace

TimerChoice::TimerChoice(const AgentOptions& options)
    : use_perf_(options.use_perf && signals_can_queue()), use_cpu_timers_(options.use_cpu_timers) {}

bool TimerChoice::start_kind(SampledThread& thread, TimerKind kind, int signal,
                             std::int64_t period) {
  stop(thread);
  thread.timer = ThreadTimer::start(kind, thread.tid, signal, period);
  if (!thread.timer) return false;
  if (kind == TimerKind::kPerf) {
    ++perf_timers_;
    perf_was_used_ = true;
  }
  thread.perf_descriptor.store(thread.timer->perf_descriptor());
  return true;
}

bool TimerChoice::start(SampledThread& thread, int signal, std::int64_t period) {
  const bool may_perf = use_perf_ && perf_timers_ < kMostPerfTimers;
  if (may_perf && start_kind(thread, TimerKind::kPerf, signal, period)) return true;
  if (may_perf && !perf_was_used_ && use_cpu_timers_) use_perf_ = false;  // denied: not asked again
  return use_cpu_timers_ && start_kind(thread, TimerKind::kCpuTimer, signal, period);
}

void TimerChoice::stop(SampledThread& thread) {
  if (!thread.timer) return;
  thread.perf_descriptor.store(-1);
  if (thread.timer->kind() == TimerKind::kPerf) --perf_timers_;
  thread.timer.reset();
}

void TimerChoice::review(SampledThread& thread, History& history, int signal, std::int64_t period) {
  if (history.is_blocked) {
    if (is_signal_blocked(thread.tid, signal)) return;
    history.is_blocked = false;
    start(thread, signal, period);
    return;
  }
  if (!thread.timer || !thread.timer->is_alive()) {
    start(thread, signal, period);
    return;
  }
  const bool is_perf = thread.timer->kind() == TimerKind::kPerf;
  const bool may_change = use_cpu_timers_ && !ThreadTimer::cpu_timer_may_interrupt_calls();
  const std::int64_t cpu = thread.sampled_cpu.load(std::memory_order_relaxed);
  const std::int64_t system = thread.sampled_system.load(std::memory_order_relaxed);

  // CPU time without samples: the signal is blocked, or the work is all in the kernel.
  const std::int64_t unseen = thread_cpu(thread.tid) - cpu;
  if (unseen > std::max(20 * period, 2 * kReviewedCpu)) {
    if (is_signal_blocked(thread.tid, signal)) {
      stop(thread);
      history.is_blocked = true;
    } else if (is_perf && may_change) {
      start_kind(thread, TimerKind::kCpuTimer, signal, period);
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
  if (is_perf && system_share > kMuchSystemTime && may_change) {
    start_kind(thread, TimerKind::kCpuTimer, signal, period);
  } else if (!is_perf && history.calm_reviews > kCalmReviews && use_perf_ &&
             perf_timers_ < kMostPerfTimers) {
    if (!start_kind(thread, TimerKind::kPerf, signal, period)) {
      start_kind(thread, TimerKind::kCpuTimer, signal, period);
    }
  }
}

}  // namespace pyrometer

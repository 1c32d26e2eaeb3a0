#include "os/thread_timer.h"

#include <fcntl.h>
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <tuple>
#include <utility>

#include "os/clocks.h"
#include "os/high_descriptor.h"

namespace pyrometer {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;

std::optional<std::tuple<int, int>> kernel_version() {
  utsname system{};
  int major = 0;
  int minor = 0;
  if (uname(&system) != 0 || std::sscanf(system.release, "%d.%d", &major, &minor) != 2) {
    return std::nullopt;
  }
  return std::tuple(major, minor);
}

struct PerfEvent {
  int fd = -1;
  std::uint64_t id = 0;
};

std::optional<PerfEvent> open_task_clock(int tid, int signal, std::int64_t period) {
  perf_event_attr attributes{};
  attributes.size = sizeof(attributes);
  attributes.type = PERF_TYPE_SOFTWARE;
  attributes.config = PERF_COUNT_SW_TASK_CLOCK;
  attributes.sample_period = static_cast<std::uint64_t>(period);
  attributes.wakeup_events = 1;
  attributes.disabled = 1;
  // Allowed to everybody, and a signal that arises in user mode cannot interrupt a system call.
  attributes.exclude_kernel = 1;
  attributes.exclude_hv = 1;
  const bool traps = signal == SIGTRAP;
  attributes.sigtrap = traps ? 1 : 0;
  attributes.remove_on_exec = traps ? 1 : 0;  // nobody else is to be trapped
  const long opened = syscall(SYS_perf_event_open, &attributes, tid, -1, -1, PERF_FLAG_FD_CLOEXEC);
  if (opened < 0) return std::nullopt;
  PerfEvent event{.fd = move_to_high_number(static_cast<int>(opened))};
  const f_owner_ex owner{F_OWNER_TID, tid};
  const bool sends_signals = traps || (fcntl(event.fd, F_SETFL, O_ASYNC | O_NONBLOCK) == 0 &&
                                       fcntl(event.fd, F_SETSIG, signal) == 0 &&
                                       fcntl(event.fd, F_SETOWN_EX, &owner) == 0);
  if (!sends_signals || ioctl(event.fd, PERF_EVENT_IOC_ID, &event.id) != 0) {
    ::close(event.fd);
    return std::nullopt;
  }
  return event;
}

}  // namespace

std::int64_t ThreadTimer::shortest_cpu_period() {
  timespec tick{};
  clock_getres(CLOCK_MONOTONIC_COARSE, &tick);
  return tick.tv_sec * kSecond + tick.tv_nsec;
}

bool ThreadTimer::cpu_timer_may_interrupt_calls() {
  static const bool may = kernel_version().value_or(std::tuple(0, 0)) < std::tuple(5, 11);
  return may;
}

bool ThreadTimer::perf_may_trap() {
  static const bool may = kernel_version().value_or(std::tuple(0, 0)) >= std::tuple(5, 18);
  return may;
}

bool ThreadTimer::set_cpu_timer(timer_t timer, std::int64_t first, std::int64_t period) {
  if (period < shortest_cpu_period()) first = period = 1;  // at each tick then
  itimerspec times{};
  times.it_interval = {.tv_sec = period / kSecond, .tv_nsec = period % kSecond};
  times.it_value = {.tv_sec = first / kSecond, .tv_nsec = first % kSecond};
  return timer_settime(timer, 0, &times, nullptr) == 0;
}

void ThreadTimer::set_period(std::int64_t period) const {
  itimerspec running{};
  if (timer_gettime(timer_, &running) != 0) return;
  const std::int64_t left = running.it_value.tv_sec * kSecond + running.it_value.tv_nsec;
  set_cpu_timer(timer_, std::clamp<std::int64_t>(left, 1, period), period);
}

std::optional<ThreadTimer> ThreadTimer::start(TimerKind kind, int tid, int signal,
                                              std::int64_t first, std::int64_t period) {
  if (kind == TimerKind::kPerf) {
    const auto event = open_task_clock(tid, signal, first);
    if (!event) return std::nullopt;
    return ThreadTimer(kind, event->fd, event->id, nullptr);
  }
  sigevent event{};
  event.sigev_notify = SIGEV_THREAD_ID;
  event.sigev_signo = signal;
  event._sigev_un._tid = tid;
  timer_t timer = nullptr;
  if (timer_create(thread_cpu_clock(tid), &event, &timer) != 0) return std::nullopt;
  ThreadTimer started(kind, -1, 0, timer);
  if (!set_cpu_timer(timer, first, period)) return std::nullopt;
  return started;
}

ThreadTimer::ThreadTimer(ThreadTimer&& other) noexcept
    : kind_(other.kind_),
      fd_(other.fd_),
      event_(other.event_),
      timer_(other.timer_),
      is_set_(std::exchange(other.is_set_, false)) {}

ThreadTimer& ThreadTimer::operator=(ThreadTimer&& other) noexcept {
  std::swap(kind_, other.kind_);
  std::swap(fd_, other.fd_);
  std::swap(event_, other.event_);
  std::swap(timer_, other.timer_);
  std::swap(is_set_, other.is_set_);
  return *this;
}

void set_perf_period(int descriptor, std::int64_t period) {
  auto value = static_cast<std::uint64_t>(period);
  ioctl(descriptor, PERF_EVENT_IOC_PERIOD, &value);
}

bool ThreadTimer::go() const {
  return kind_ != TimerKind::kPerf || ioctl(fd_, PERF_EVENT_IOC_ENABLE, 0) == 0;
}

bool ThreadTimer::is_alive() const {
  if (kind_ != TimerKind::kPerf) return true;
  std::uint64_t id = 0;
  return ioctl(fd_, PERF_EVENT_IOC_ID, &id) == 0 && id == event_;
}

void ThreadTimer::forget_after_fork() {
  if (!is_set_) return;
  // The child holds a copy of the descriptor; POSIX timers are not inherited at all.
  if (kind_ == TimerKind::kPerf && is_alive()) ::close(fd_);
  is_set_ = false;
}

void ThreadTimer::stop() {
  if (!is_set_) return;
  is_set_ = false;
  if (kind_ == TimerKind::kCpuTimer) {
    timer_delete(timer_);
  } else if (is_alive()) {
    ioctl(fd_, PERF_EVENT_IOC_DISABLE, 0);
    ::close(fd_);
  }
}

}  // namespace pyrometer

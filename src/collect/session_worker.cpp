// The session's own thread: how it begins, what it does when, and what others ask it for.
#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <system_error>
#include <utility>

#include "collect/session.h"
#include "os/clocks.h"
#include "os/notice.h"
#include "os/own_thread.h"

namespace pyrometer {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;
constexpr std::int64_t kDrainPeriod = 100'000'000;

}  // namespace

void Session::start() {
  const std::lock_guard lock(mutex_);
  is_started_ = true;
  is_forking_ = false;
  start_worker();
}

void Session::start_worker() {
  if (!is_started_ || is_forking_ || is_finished_ || worker_.joinable()) return;
  // Every signal is blocked from the thread's first moment: the program's handlers never run
  // on it, and a file that grows too large is an error, not a death.
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  std::string reason;
  try {
    worker_ = std::thread([this] { run(); });
  } catch (const std::system_error& error) {
    reason = error.code().message();
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (reason.empty() || std::exchange(warned_of_worker_, true)) return;
  const std::string sentence = fmt::format(
      "the system refused process {} a thread to record it with ({}), so its recording may have "
      "gaps; allow more threads (ulimit -u), or record fewer processes at once",
      getpid(), reason);
  recorder_.message(monotonic_now(), MessageLevel::kWarning, sentence);
  send_notice(options_.notices, sentence);
}

void Session::before_fork() {
  {
    const std::lock_guard lock(mutex_);
    is_forking_ = true;
  }
  wake_.notify_all();
  if (worker_.joinable()) worker_.join();
}

class Session::OwnWait {
 public:
  explicit OwnWait(Session& session) : session_(session), own_(own_thread()) {
    if (own_ != nullptr) own_->with_us_since.store(monotonic_now(), std::memory_order_release);
  }
  OwnWait(const OwnWait&) = delete;
  OwnWait& operator=(const OwnWait&) = delete;
  ~OwnWait() {
    if (own_ == nullptr) return;
    const std::lock_guard lock(session_.mutex_);
    own_->was_with_us = own_->time_with_us(monotonic_now());
    own_->with_us_since.store(0, std::memory_order_release);
  }

 private:
  Session& session_;
  SampledThread* const own_;
};

void Session::pause() {
  const OwnWait wait(*this);
  ask(Work::kPause);
}

void Session::resume() {
  const OwnWait wait(*this);
  ask(Work::kResume);
}

void Session::finish(EndReason reason, std::int64_t status) {
  const OwnWait wait(*this);
  {
    const std::lock_guard lock(mutex_);
    start_worker();
    if (!worker_.joinable() || is_finished_) return;
    end_ = {.time = monotonic_now(), .reason = reason, .status = status};
    if (SampledThread* own = own_thread(); own != nullptr && reason == EndReason::kExit) {
      timers_.stop(*own);
      rest_ = rest_of(*own);
    }
  }
  ask(Work::kFinish);
}

std::optional<Result<void>> Session::stop() {
  const OwnWait wait(*this);
  if (exact_ != nullptr) exact_->stop(monotonic_now());
  {
    const std::lock_guard lock(mutex_);
    is_stopping_ = true;
    end_ = {.time = monotonic_now(), .reason = EndReason::kStopped};
  }
  if (!ask(Work::kFinish)) return std::nullopt;
  worker_.join();
  return written_;
}

bool Session::ask(Work work) {
  std::unique_lock lock(mutex_);
  start_worker();
  if (!worker_.joinable() || is_finished_) return false;
  asked_ = work;
  wake_.notify_all();
  constexpr std::chrono::seconds kPatience(5);
  const bool is_done = wake_.wait_for(lock, kPatience, [this] { return asked_ == Work::kDone; });
  asked_ = Work::kNone;
  wake_.notify_all();  // where the process goes on, so does recording
  return is_done;
}

void Session::do_asked(std::unique_lock<std::mutex>& lock) {
  switch (asked_) {
    case Work::kFinish: finish_now(); break;
    case Work::kPause: pause_now(monotonic_now()); break;
    case Work::kResume: resume_now(monotonic_now()); break;
    default: return;
  }
  asked_ = Work::kDone;
  wake_.notify_all();
  if (!is_finished_) wake_.wait(lock, [this] { return asked_ != Work::kDone || is_forking_; });
}

void Session::run() {
  pthread_setname_np(pthread_self(), "pyrometer");
  set_own_thread(nullptr);
  if (memory_ != nullptr) memory_->ignore_own_thread();
  if (copies_ != nullptr) CopyRecording::ignore_own_thread();
  std::unique_lock lock(mutex_);
  const auto is_asked = [this] { return asked_ != Work::kNone && asked_ != Work::kDone; };
  while (!is_forking_ && !is_finished_) {
    const std::int64_t now = monotonic_now();
    if (is_asked()) {
      do_asked(lock);
    } else {
      try {
        work(lock, now);
      } catch (const std::exception&) {  // no memory: what is not drained now may be later
        next_drain_ = now + kSecond;
      }
    }
    const std::int64_t next = std::min({next_visit_, next_drain_, next_write_, next_look_});
    const auto pause_time =
        std::chrono::nanoseconds(std::max<std::int64_t>(next - monotonic_now(), 0));
    if (!is_asked() && !is_forking_ && !is_finished_) wake_.wait_for(lock, pause_time);
  }
  worker_cpu_ += own_thread_cpu();
}

void Session::work(std::unique_lock<std::mutex>& lock, std::int64_t now) {
  if (is_paused_) {  // threads may still end
    next_visit_ = next_look_ = next_drain_ = next_write_ = now + kSecond;
    drain(now);
    write_out(lock);
    return;
  }
  if (now >= next_visit_) watch_sleepers(now);
  if (now >= next_look_) look_at_memory(now);
  if (now >= next_drain_) {
    next_drain_ = now + kDrainPeriod;
    drain(now);
    if (tick_ != nullptr) review_threads(now);
  }
  if (now >= next_write_) {
    // A short life is written in short pieces: who is killed loses an eighth of it at most, and
    // never more than a second.
    next_write_ = now + std::clamp((now - started_) / 8, kDrainPeriod, kSecond);
    settle(now, false);
    write_out(lock);
  }
}

}  // namespace pyrometer

// How a session stops to record and goes on, or ends while the program goes on.
#include "collect/session.h"
#include "os/clocks.h"
#include "os/task_files.h"

namespace pyrometer {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;
constexpr std::int64_t kWorthRecording = 1'000'000;  // ns of a thread that nobody knows

}  // namespace

void Session::add_running_thread(const RunningThread& running) {
  const Recorder::ThreadFacts facts{.tid = running.tid,
                                    .thread_class = running.thread_class,
                                    .name = running.name,
                                    .start = monotonic_now()};
  if (exact_ != nullptr && running.thread_class != ThreadClass::kNative) {
    exact_->expect_thread(facts);
  }
  if (tick_ == nullptr) return;
  auto thread = std::make_unique<SampledThread>(running.tid, rate_);
  thread->last_cpu = thread_cpu(running.tid);
  if (thread->last_cpu < 0) return;  // gone
  thread->last_system = SampledThread::kNotKnown;
  thread->sampled_cpu.store(thread->last_cpu);
  thread->kind = running.kind;
  thread->thread_state.store(running.thread_state);
  // Of one that runs, its first tick tells.
  const auto state = WatchedTask(running.tid).state();
  if (running.thread_state != 0 && state && state->stack_pointer != 0) {
    thread->stack_high.store(mapping_end(state->stack_pointer));
  }
  const std::lock_guard lock(mutex_);
  add_thread(std::move(thread), facts);
  threads_.back().timer_history.cpu = threads_.back().sampled->last_cpu;
}

// Without what it used in long MPI calls; nothing while it is in one.
std::optional<std::int64_t> Session::counted_cpu(const SampledThread& thread) {
  const MpiThread* mpi = thread.mpi.load();
  const auto missed = mpi == nullptr ? MpiClocks::Missed() : mpi->clocks.missed();
  const std::int64_t cpu = thread_cpu(thread.tid);
  if (!missed || cpu < 0) return std::nullopt;
  return cpu - missed->cpu;
}

Session::Rest Session::rest_of_other(const SampledThread& thread) {
  const auto cpu = counted_cpu(thread);
  return cpu ? Rest{&thread, *cpu - thread.last_cpu, 0} : Rest();
}

// What threads did until now is recorded, and they are interrupted no more.
void Session::hold_threads(std::int64_t now) {
  look_at_memory(now);
  if (tick_ != nullptr) {
    if (tick_->symbols.is_finalizing() == 0) visit_sleepers(now, kSecond);
    for (KnownThread& thread : threads_) timers_.stop(*thread.sampled);
    end_ticks();
  }
  drain(now);
  end_sleeps(now);
  for (KnownThread& thread : threads_) {
    const Rest rest = rest_of_other(*thread.sampled);
    if (thread.recorded_as != kNotRecorded || rest.cpu >= kWorthRecording) record_rest(rest);
    if (thread.facts.thread_class != ThreadClass::kNative) {
      thread.sleep.write_all(thread.recorded_as, thread.last_place, now, recorder_);
    }
  }
}

// What threads waited for until now, although nobody looks again.
void Session::end_sleeps(std::int64_t now) {
  if (tick_ == nullptr) return;
  for (KnownThread& thread : threads_) {
    if (thread.facts.thread_class == ThreadClass::kNative || thread.sampled->has_ended) continue;
    thread.sleep.end(*thread.sampled, thread.recorded_as, now, recorder_);
  }
}

void Session::pause_now(std::int64_t now) {
  if (is_paused_) return;
  hold_threads(now);
  settle(now, false);
  begin_paused();
}

void Session::begin_paused() {
  if (exact_ != nullptr) exact_->pause();
  if (lines_ != nullptr) lines_->pause();
  if (memory_ != nullptr) memory_->pause();
  if (copies_ != nullptr) copies_->pause();
  is_paused_ = true;
  paused_since_ = monotonic_now();
}

// What threads used meanwhile is nobody's.
void Session::resume_now(std::int64_t now) {
  if (!is_paused_) return;
  if (tick_ != nullptr) {
    drain(now);
    find_native_threads(now);
  }
  write_paused_time(now);
  is_paused_ = false;
  paused_time_ += now - paused_since_;
  if (exact_ != nullptr) exact_->resume();
  if (lines_ != nullptr) lines_->resume();
  if (memory_ != nullptr) memory_->resume();
  if (copies_ != nullptr) copies_->resume();
  next_visit_ = next_look_ = next_drain_ = next_write_ = now;
  if (tick_ == nullptr) return;
  for (KnownThread& thread : threads_) {
    thread.sleep = SleepWatch(*thread.sampled, now);
    SampledThread& sampled = *thread.sampled;
    sampled.last_cpu = counted_cpu(sampled).value_or(sampled.last_cpu);
    sampled.last_system = SampledThread::kNotKnown;
    sampled.sampled_cpu.store(thread_cpu(sampled.tid));
    if (signal_ != 0 && !thread.is_gone) timers_.start(sampled, signals(), period());
  }
  begin_ticks();
}

void Session::write_paused_time(std::int64_t now) {
  recorder_.attribute("paused", std::to_string(paused_time_ + now - paused_since_));
}

}  // namespace pyrometer

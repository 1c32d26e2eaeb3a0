#include "collect/session.h"

#include <algorithm>

#include "os/clocks.h"
#include "os/notice.h"
#include "os/own_thread.h"
#include "os/task_files.h"

namespace pyrometer {
namespace {

constexpr std::int64_t kMillisecond = 1'000'000;
constexpr std::int64_t kSecond = 1'000'000'000;
constexpr std::int64_t kShortestPeriod = 20'000;
constexpr std::int64_t kDrainPeriod = 100 * kMillisecond;
constexpr std::int64_t kVisitPeriod = 20 * kMillisecond;

// Fine enough to keep samples apart, coarse enough for one byte per number. What rounding drops is
// carried to the next sample, so totals are not touched.
std::int64_t resolution_for(std::int64_t rate) {
  if (rate <= 250) return kMillisecond;
  return rate <= 2'500 ? 50'000 : 5'000;
}

// What interrupting a thread costs beside the handler, in ns.
std::int64_t delivery_cost(const TimerChoice& timers, bool traps) {
  return usual_delivery_cost(timers.prefers_perf() ? TimerKind::kPerf : TimerKind::kCpuTimer,
                             traps);
}

}  // namespace

Session::Session(const AgentOptions& options, const RecordingHeader& header, AppendFile file,
                 TickContext* tick, int signal, const Engines& engines)
    : options_(options),
      tick_(tick),
      exact_(engines.exact),
      lines_(engines.lines),
      mpi_(engines.mpi),
      memory_(engines.memory),
      copies_(engines.copies),
      regions_(engines.regions),
      tasks_(engines.tasks),
      task_watch_(engines.task_watch),
      drain_codes_([this] { drain_codes(); }),
      find_thread_([this](int tid) { return find_recorded_thread(tid); }),
      find_mpi_thread_([this](const MpiThread& thread) { return find_mpi_thread(thread); }),
      signal_(signal),
      rate_(options.rate),
      file_(std::move(file)),
      recorder_(header),
      timers_(options),
      trap_(tick != nullptr && options.use_traps ? install_trap_handler() : 0),
      cost_(options.rate, delivery_cost(timers_, trap_ != 0)),
      started_(header.monotonic),
      cpu_before_(options.is_inside ? process_cpu() : 0),
      frame_room_(SampledThread::kDeepest * sizeof(RawFrame)),
      visit_period_(kVisitPeriod),
      look_period_(kVisitPeriod) {
  recorder_.set_resolution(resolution_for(rate_));
  if (tick_ != nullptr) {
    tick_->period.store(period());
    modules_.update();
    interpreter_module_ =
        modules_.find(reinterpret_cast<std::uintptr_t>(tick_->symbols.own_thread_state))
            .value_or(SIZE_MAX);
    own_module_ =
        modules_.find(reinterpret_cast<std::uintptr_t>(&resolution_for)).value_or(SIZE_MAX);
    if (memory_ != nullptr) {
      memory_module_ = modules_.find(memory_->library_address()).value_or(SIZE_MAX);
    }
    if (copies_ != nullptr) {
      copies_module_ = modules_.find(copies_->library_address()).value_or(SIZE_MAX);
    }
  }
}

Session::~Session() {
  if (worker_.joinable()) before_fork();
}

void Session::forget_after_fork() {
  for (KnownThread& thread : threads_) {
    for (auto* timer : {&thread.sampled->timer, &thread.sampled->kernel_timer}) {
      if (*timer) (*timer)->forget_after_fork();
    }
    thread.sleep.leave_to_parent();
  }
  [[maybe_unused]] const AppendFile closed = std::move(file_);
}

void Session::begin_own_thread(ThreadClass thread_class, const std::string& name,
                               const std::string& kind) {
  if (exact_ != nullptr) {
    exact_->begin_own_thread(
        {.tid = own_tid(), .thread_class = thread_class, .name = name, .start = monotonic_now()});
  }
  if (tick_ == nullptr) {
    const std::lock_guard lock(mutex_);
    start_worker();
    if (lines_ != nullptr && thread_class == ThreadClass::kMain) {
      recorder_.add_thread({.tid = own_tid(), .thread_class = thread_class, .name = name});
    }
    return;
  }
  auto thread = std::make_unique<SampledThread>(own_tid(), rate_);
  thread->stack_high.store(own_stack().high);
  thread->thread_state.store(reinterpret_cast<std::uintptr_t>(tick_->symbols.own_thread_state()));
  thread->last_cpu = own_thread_cpu();
  thread->last_system = own_system_time();
  thread->sampled_cpu.store(thread->last_cpu);
  thread->sampled_system.store(thread->last_system);
  const std::lock_guard lock(mutex_);
  start_worker();
  thread->kind = kind;
  // At random, so that each moment of a short thread has the same chance to be seen.
  std::uniform_int_distribution<std::int64_t> first(std::min(kShortestPeriod, period()), period());
  thread->first_period = first(random_);
  set_own_thread(thread.get());
  const int tid = thread->tid;
  // Our search may have met the thread first.
  for (KnownThread& known : threads_) {
    if (known.sampled->tid == tid && !known.is_gone) {
      timers_.stop(*known.sampled);
      withdraw_thread(*known.sampled);
      known.is_gone = true;
    }
  }
  add_thread(std::move(thread),
             {.tid = tid, .thread_class = thread_class, .name = name, .start = monotonic_now()});
}

void Session::add_thread(std::unique_ptr<SampledThread> sampled,
                         const Recorder::ThreadFacts& facts) {
  publish_thread(*sampled);
  const bool has_timer = is_paused_ || timers_.start(*sampled, signals(), period());
  const std::string reason = last_error_text();
  if (!has_timer && is_thread_alive(sampled->tid) && !std::exchange(warned_of_timers_, true)) {
    const std::string sentence = fmt::format(
        "the system refuses the timers that sampling needs ({}); {}", reason,
        options_.use_cpu_timers ? "some threads are not sampled" : "try without --clock perf");
    recorder_.message(monotonic_now(), MessageLevel::kWarning, sentence);
    send_notice(options_.notices, sentence);
  }
  SleepWatch sleep(*sampled, monotonic_now());
  const bool is_native = facts.thread_class == ThreadClass::kNative;
  threads_.push_back({.sampled = std::move(sampled),
                      .facts = facts,
                      .recorded_as = is_native ? kNotRecorded : recorder_.add_thread(facts),
                      .sleep = std::move(sleep)});
}

// Who ends inside a long MPI call worked last before it, and was sampled then.
Session::Rest Session::rest_of(const SampledThread& own) {
  const auto missed = missed_in_mpi();
  if (!missed) return {};
  const std::int64_t system = own_system_time() - missed->system;
  const bool is_known = own.last_system != SampledThread::kNotKnown;
  return {&own, own_thread_cpu() - missed->cpu - own.last_cpu,
          is_known ? system - own.last_system : 0};
}

void Session::end_own_thread(const std::string& name) {
  if (exact_ != nullptr) exact_->end_own_thread(name, monotonic_now());
  SampledThread* own = own_thread();
  if (own == nullptr) return;
  const std::lock_guard lock(mutex_);
  timers_.stop(*own);
  set_own_thread(nullptr);
  // What it did before a pause was recorded when that began.
  if (!is_paused_) {
    ThreadKind& kind = kinds_[own->kind];
    const Rest rest = rest_of(*own);
    kind.left_cpu += rest.cpu;
    kind.left_system += rest.system;
  }
  own->thread_state.store(0);
  for (KnownThread& thread : threads_) {
    if (thread.sampled.get() != own) continue;
    if (!name.empty()) thread.facts.name = name;
    if (!is_paused_) thread.sleep.end(*own, thread.recorded_as, monotonic_now(), recorder_);
  }
  own->has_ended.store(true);
}

void Session::message(MessageLevel level, const std::string& sentence) {
  const std::lock_guard lock(mutex_);
  recorder_.message(monotonic_now(), level, sentence);
}

void Session::attribute(const std::string& key, const std::string& value) {
  const std::lock_guard lock(mutex_);
  recorder_.attribute(key, value);
}

bool Session::begin_memory_window(bool of_own_thread, bool hears_objects) {
  return memory_ != nullptr && memory_->begin_window(of_own_thread, hears_objects);
}

std::optional<MemoryRecording::WindowFigures> Session::end_memory_window(std::size_t most) {
  if (memory_ == nullptr) return std::nullopt;
  const MemoryRecording::OwnMemory ours(*memory_);
  const std::lock_guard lock(mutex_);
  return memory_->end_window(most, recorder_, drain_codes_);
}

void Session::keep_source(const std::string& file, const std::string& text) {
  const std::lock_guard lock(mutex_);
  sources_[file] = text;
}

// Less often while nothing changes: each look wakes this thread.
void Session::look_at_memory(std::int64_t now) {
  next_look_ = INT64_MAX;
  if (memory_ == nullptr) return;
  look_period_ = memory_->look(now) ? kVisitPeriod : std::min(look_period_ * 3 / 2, kDrainPeriod);
  next_look_ = now + look_period_;
}

void Session::write_memory(std::int64_t now, bool is_last) {
  modules_.update();
  memory_->write(now, is_last,
                 {.recorder = recorder_,
                  .modules = modules_,
                  .find_thread = find_thread_,
                  .drain_codes = drain_codes_});
}

// Bounded: visits take at most a tenth of a per cent of one core; a round that was long goes on
// next time where it stopped. Rounds come at random, never in step with the program, and less often
// while every thread only runs or only sleeps.
void Session::watch_sleepers(std::int64_t now) {
  next_visit_ = now + (tick_ == nullptr ? kSecond : visit_period_);
  if (tick_ == nullptr || tick_->symbols.is_finalizing() != 0) return;
  constexpr std::int64_t kLeastPause = 1000;                  // in times what the round took
  constexpr std::int64_t kLongestRound = kVisitPeriod / 250;  // ns
  const std::int64_t cpu = own_thread_cpu();
  const bool is_eventful = visit_sleepers(now, kLongestRound);
  visit_period_ = is_eventful ? kVisitPeriod : std::min(visit_period_ * 3 / 2, kDrainPeriod);
  std::uniform_int_distribution<std::int64_t> around(visit_period_ / 2, visit_period_ * 3 / 2);
  next_visit_ = now + std::max(around(random_), kLeastPause * (own_thread_cpu() - cpu));
}

// True when a thread both ran and waited since the last visit.
bool Session::visit_sleepers(std::int64_t now, std::int64_t longest_round) {
  const SleepWatch::Tools tools{
      .symbols = tick_->symbols,
      .layout = tick_->layout,
      .codes = *tick_->codes,
      .recorder = recorder_,
      .frames = {reinterpret_cast<RawFrame*>(frame_room_.data()), SampledThread::kDeepest},
      .drain_codes = drain_codes_,
      .mpi = mpi_,
      .tasks = tasks_};
  bool is_eventful = false;
  std::int64_t time = now;
  for (std::size_t visited = 0; visited < threads_.size() && time - now < longest_round;
       ++visited) {
    next_visited_ = (next_visited_ + 1) % threads_.size();
    KnownThread& thread = threads_[next_visited_];
    if (thread.facts.thread_class == ThreadClass::kNative || thread.sampled->has_ended) continue;
    is_eventful |= thread.sleep.visit(*thread.sampled, thread.recorded_as, time, tools);
    time = monotonic_now();
  }
  return is_eventful;
}

// Gives the recorder what is still with us; the last time everything.
void Session::settle(std::int64_t now, bool is_last) {
  // Of very many threads that sleep, a few are written each second.
  constexpr std::size_t kSleepersPerSecond = 32;
  const auto patience = static_cast<std::int64_t>(threads_.size() / kSleepersPerSecond) * kSecond;
  for (KnownThread& thread : threads_) {
    if (thread.facts.thread_class == ThreadClass::kNative) continue;
    if (is_last) {
      thread.sleep.write_all(thread.recorded_as, thread.last_place, now, recorder_);
    } else {
      thread.sleep.write(*thread.sampled, thread.recorded_as, thread.last_place, now, recorder_,
                         patience);
    }
  }
  if (exact_ != nullptr) exact_->write(recorder_, now, is_last);
  if (mpi_ != nullptr) mpi_->write(recorder_, now, find_mpi_thread_, drain_codes_);
  if (regions_ != nullptr) {
    drain_codes();  // regions refer to them
    regions_->write(recorder_, now);
  }
  if (tasks_ != nullptr) tasks_->write(recorder_, now, drain_codes_);
  if (memory_ != nullptr) write_memory(now, is_last);
  if (copies_ != nullptr) copies_->write(now, is_last, recorder_, find_thread_, drain_codes_);
  if (lines_ != nullptr) {
    review_hot_functions(now);
    lines_->write(recorder_, now, is_last);
  }
  spread_left_over(is_last ? kMillisecond : 100 * kMillisecond);
  adapt_rate();
}

void Session::append(const std::string& bytes) {
  written_ = file_.append(bytes);
  if (!written_) send_notice(options_.notices, written_.error().message);
}

void Session::write_out(std::unique_lock<std::mutex>& lock) {
  const std::string bytes = recorder_.take_pending();
  if (!written_ || bytes.empty()) return;
  lock.unlock();  // the program need not wait for the disk
  append(bytes);
  lock.lock();
}

void Session::finish_now() {
  const std::int64_t now = monotonic_now();
  if (is_paused_) {
    drain(now);
    write_paused_time(now);
  } else if (is_stopping_) {
    hold_threads(now);
  } else {
    watch_sleepers(now);
    look_at_memory(now);
    drain(now);
    end_sleeps(now);
    record_rest(rest_);
  }
  settle(now, true);
  write_statistics();
  for (const auto& [file, text] : sources_) recorder_.source(file, text);
  for (KnownThread& thread : threads_) {
    thread.facts.end = now;
    update_record(thread);
  }
  // The samples go before the end.
  std::string bytes = recorder_.take_pending();
  end_.time = monotonic_now();
  recorder_.end(end_);
  bytes += recorder_.take_pending();
  if (written_) append(bytes);
  if (end_.reason == EndReason::kExit || is_stopping_) {
    for (KnownThread& thread : threads_) timers_.stop(*thread.sampled);
    is_finished_ = true;
  }
}

}  // namespace pyrometer

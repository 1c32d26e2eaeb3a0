#include "collect/session.h"

#include <pthread.h>

#include <algorithm>
#include <chrono>
#include <csignal>

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

}  // namespace

Session::Session(const AgentOptions& options, const RecordingHeader& header, AppendFile file,
                 TickContext* tick, int signal, ExactRecording* exact, LineRecording* lines)
    : options_(options),
      tick_(tick),
      exact_(exact),
      lines_(lines),
      signal_(signal),
      rate_(options.rate),
      file_(std::move(file)),
      recorder_(header),
      timers_(options),
      cost_(options.rate, timers_.delivery_cost()),
      started_(header.monotonic),
      frame_room_(SampledThread::kDeepest * sizeof(RawFrame)),
      visit_period_(kVisitPeriod) {
  recorder_.set_resolution(resolution_for(rate_));
  if (tick_ != nullptr) {
    tick_->period.store(period());
    modules_.update();
    interpreter_module_ =
        modules_.find(reinterpret_cast<std::uintptr_t>(tick_->symbols.own_thread_state))
            .value_or(SIZE_MAX);
    own_module_ =
        modules_.find(reinterpret_cast<std::uintptr_t>(&resolution_for)).value_or(SIZE_MAX);
  }
}

Session::~Session() {
  if (worker_.joinable()) pause();
}

void Session::start() {
  is_pausing_ = false;
  // Every signal is blocked from the thread's first moment: the program's handlers never run
  // on it, and a file that grows too large is an error, not a death.
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  worker_ = std::thread([this] { run(); });
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void Session::pause() {
  {
    const std::lock_guard lock(mutex_);
    is_pausing_ = true;
  }
  wake_.notify_all();
  worker_.join();
}

void Session::forget_after_fork() {
  for (KnownThread& thread : threads_) {
    for (auto* timer : {&thread.sampled->timer, &thread.sampled->kernel_timer}) {
      if (*timer) (*timer)->forget_after_fork();
    }
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
  const bool has_timer = timers_.start(*sampled, signal_, period());
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
                      .sleep = sleep});
}

void Session::end_own_thread(const std::string& name) {
  if (exact_ != nullptr) exact_->end_own_thread(name, monotonic_now());
  SampledThread* own = own_thread();
  if (own == nullptr) return;
  const std::lock_guard lock(mutex_);
  timers_.stop(*own);
  set_own_thread(nullptr);
  ThreadKind& kind = kinds_[own->kind];
  kind.left_cpu += own_thread_cpu() - own->last_cpu;
  kind.left_system += own_system_time() - own->last_system;
  own->thread_state.store(0);
  own->has_ended.store(true);
  for (KnownThread& thread : threads_) {
    if (thread.sampled.get() == own && !name.empty()) thread.facts.name = name;
  }
}

void Session::message(MessageLevel level, const std::string& sentence) {
  const std::lock_guard lock(mutex_);
  recorder_.message(monotonic_now(), level, sentence);
}

void Session::finish(EndReason reason, std::int64_t status) {
  std::unique_lock lock(mutex_);
  if (!worker_.joinable()) return;
  end_ = {.time = monotonic_now(), .reason = reason, .status = status};
  finish_ = Work::kRequested;
  wake_.notify_all();
  constexpr std::chrono::seconds kPatience(5);
  wake_.wait_for(lock, kPatience, [this] { return finish_ == Work::kDone; });
  finish_ = Work::kNone;
  wake_.notify_all();  // where the process goes on, so does recording
}

void Session::run() {
  pthread_setname_np(pthread_self(), "pyrometer");
  set_own_thread(nullptr);
  std::unique_lock lock(mutex_);
  while (!is_pausing_ && !is_finished_) {
    const std::int64_t now = monotonic_now();
    if (finish_ == Work::kRequested) {
      finish_now(lock);
    } else {
      try {
        work(lock, now);
      } catch (const std::exception&) {  // no memory: what is not drained now may be later
        next_drain_ = now + kSecond;
      }
    }
    const std::int64_t next = std::min({next_visit_, next_drain_, next_write_});
    const auto pause_time =
        std::chrono::nanoseconds(std::max<std::int64_t>(next - monotonic_now(), 0));
    if (finish_ != Work::kRequested && !is_pausing_ && !is_finished_) {
      wake_.wait_for(lock, pause_time);
    }
  }
  worker_cpu_ += own_thread_cpu();
}

void Session::work(std::unique_lock<std::mutex>& lock, std::int64_t now) {
  if (now >= next_visit_) watch_sleepers(now);
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

// Bounded: visits take at most a fifth of a per cent of one core; a round that was long goes on
// next time where it stopped. Rounds come at random, never in step with the program, and less often
// while every thread only runs or only sleeps.
void Session::watch_sleepers(std::int64_t now) {
  next_visit_ = now + (tick_ == nullptr ? kSecond : visit_period_);
  if (tick_ == nullptr || tick_->symbols.is_finalizing() != 0) return;
  const SleepWatch::Tools tools{
      .symbols = tick_->symbols,
      .layout = tick_->layout,
      .codes = *tick_->codes,
      .recorder = recorder_,
      .frames = {reinterpret_cast<RawFrame*>(frame_room_.data()), SampledThread::kDeepest}};
  constexpr std::int64_t kLeastPause = 500;                   // in times what the round took
  constexpr std::int64_t kLongestRound = kVisitPeriod / 250;  // ns
  const std::int64_t cpu = own_thread_cpu();
  bool is_eventful = false;
  std::int64_t time = now;
  for (std::size_t visited = 0; visited < threads_.size() && time - now < kLongestRound;
       ++visited) {
    next_visited_ = (next_visited_ + 1) % threads_.size();
    KnownThread& thread = threads_[next_visited_];
    if (thread.facts.thread_class == ThreadClass::kNative || thread.sampled->has_ended) continue;
    is_eventful |= thread.sleep.visit(*thread.sampled, thread.recorded_as, time, tools);
    time = monotonic_now();
  }
  visit_period_ = is_eventful ? kVisitPeriod : std::min(visit_period_ * 3 / 2, kDrainPeriod);
  std::uniform_int_distribution<std::int64_t> around(visit_period_ / 2, visit_period_ * 3 / 2);
  next_visit_ = now + std::max(around(random_), kLeastPause * (own_thread_cpu() - cpu));
}

void Session::drain(std::int64_t now) {
  if (tick_ == nullptr) return;
  modules_.update();
  for (KnownThread& thread : threads_) {
    drain_thread(thread);
    thread.is_gone = thread.is_gone || thread.sampled->has_ended;
  }
  retire_gone_threads(now);
}

void Session::drain_thread(KnownThread& thread) {
  thread.sampled->samples.drain([&](const Sample& sample) { return record(thread, sample); });
  thread.sampled->tree.make_room();
}

// A node names code that was copied before it: so the nodes are counted first. Still a copy may
// be late, when another thread was interrupted while it made one; then the rest waits.
void Session::learn_nodes(KnownThread& thread) {
  const CallTree& tree = thread.sampled->tree;
  const std::uint32_t size = tree.size();
  tick_->codes->drain([this](const CodeCopy& code) {
    recorder_.define_code(code);
    if (lines_ != nullptr && lines_->wants_hot_functions()) hot_.learn(code);
  });
  if (thread.nodes.empty()) thread.nodes.push_back(Recorder::kNoNode);
  for (auto i = static_cast<std::uint32_t>(thread.nodes.size()); i < size; ++i) {
    const CallTree::Node node = tree.node(i);
    if (node.code == CodeTable::kDeeper) {
      thread.nodes.push_back(recorder_.label_node(Recorder::kNoNode, kDeeperFrames));
    } else if (recorder_.knows_code(node.code)) {
      thread.nodes.push_back(
          recorder_.python_node(thread.nodes[node.parent], node.code, node.instruction));
    } else {
      return;
    }
  }
}

// Where a sample was taken; nothing when that cannot be said yet.
std::optional<std::uint32_t> Session::node_of(KnownThread& thread, const Sample& sample) {
  if (sample.is_shutdown) {
    return recorder_.label_node(Recorder::kNoNode, "(interpreter shutdown)");
  }
  if (sample.node >= thread.nodes.size()) learn_nodes(thread);
  if (sample.node >= thread.nodes.size()) return std::nullopt;
  return thread.nodes[sample.node];
}

bool Session::record(KnownThread& thread, const Sample& sample) {
  const auto place = node_of(thread, sample);
  if (!place) return false;
  std::uint32_t node = *place;
  const auto module = modules_.find(sample.program_counter);
  // A thread stopped at the end of a system call did its work in the kernel, not in the C library.
  const bool is_native = module != interpreter_module_ && module != own_module_ &&
                         (!sample.after_system_call || node == Recorder::kNoNode);
  if (is_native && module) {
    node = recorder_.native_node(node, modules_[*module], sample.program_counter);
  } else if (is_native) {
    node = recorder_.label_node(node, "(generated code)");
  } else if (node == Recorder::kNoNode) {
    node = recorder_.label_node(node, "(interpreter)");
  }
  if (lines_ != nullptr && lines_->wants_hot_functions() && !sample.is_shutdown) {
    hot_.saw(thread.sampled->tree.node(sample.node).code, sample.cpu);
  }
  TimeValues values;
  values[TimeKind::kWall] = sample.cpu;
  values[TimeKind::kCpu] = sample.cpu;
  values[TimeKind::kSystem] = sample.system;
  values[is_native ? TimeKind::kNative : TimeKind::kPython] = sample.cpu - sample.system;
  if (thread.recorded_as == kNotRecorded) thread.recorded_as = recorder_.add_thread(thread.facts);
  if (thread.facts.thread_class == ThreadClass::kPython) {
    constexpr std::size_t kMostPlaces = 4096;
    auto& places = kinds_[thread.sampled->kind].places;
    if (places.size() < kMostPlaces) ++places[{node, is_native}];
  }
  recorder_.sample(thread.recorded_as, sample.time, node, values);
  return true;
}

// Gives the recorder what is still with us; the last time everything.
void Session::settle(std::int64_t now, bool is_last) {
  // Of very many threads that sleep, a few are written each second.
  constexpr std::size_t kSleepersPerSecond = 32;
  const auto patience =
      is_last ? 0 : static_cast<std::int64_t>(threads_.size() / kSleepersPerSecond) * kSecond;
  for (KnownThread& thread : threads_) {
    if (thread.facts.thread_class != ThreadClass::kNative) {
      thread.sleep.write(*thread.sampled, thread.recorded_as, now, recorder_, patience);
    }
  }
  if (exact_ != nullptr) exact_->write(recorder_, now, is_last);
  if (lines_ != nullptr) {
    review_hot_functions(now);
    lines_->write(recorder_, now);
  }
  spread_left_over(is_last ? kMillisecond : 100 * kMillisecond);
  adapt_rate();
}

void Session::append(const std::string& bytes) {
  const Result<void> written = file_.append(bytes);
  if (written) return;
  file_failed_ = true;
  send_notice(options_.notices, written.error().message);
}

void Session::write_out(std::unique_lock<std::mutex>& lock) {
  const std::string bytes = recorder_.take_pending();
  if (file_failed_ || bytes.empty()) return;
  lock.unlock();  // the program need not wait for the disk
  append(bytes);
  lock.lock();
}

void Session::finish_now(std::unique_lock<std::mutex>& lock) {
  const std::int64_t now = monotonic_now();
  watch_sleepers(now);
  drain(now);
  settle(now, true);
  write_statistics();
  for (KnownThread& thread : threads_) {
    thread.facts.end = now;
    update_record(thread);
  }
  // The samples go before the end.
  std::string bytes = recorder_.take_pending();
  end_.time = monotonic_now();
  recorder_.end(end_);
  bytes += recorder_.take_pending();
  if (!file_failed_) append(bytes);
  if (end_.reason == EndReason::kExit) {
    for (KnownThread& thread : threads_) timers_.stop(*thread.sampled);
    is_finished_ = true;
  }
  finish_ = Work::kDone;
  wake_.notify_all();
  if (!is_finished_) wake_.wait(lock, [this] { return finish_ != Work::kDone || is_pausing_; });
}

}  // namespace pyrometer

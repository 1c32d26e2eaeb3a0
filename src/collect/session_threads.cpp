// How a session keeps up with the program's threads, their timers and its own cost.
#include <algorithm>

#include "base/short_threads.h"
#include "collect/hot_lines.h"
#include "collect/session.h"
#include "os/clocks.h"
#include "os/own_thread.h"
#include "os/task_files.h"

namespace pyrometer {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;

}  // namespace

void Session::review_threads(std::int64_t now) {
  find_native_threads(now);
  review_signals();
  if (signal_ == 0) return;
  constexpr std::size_t kFewThreads = 64;
  if (threads_.size() > kFewThreads && now < next_review_) return;
  next_review_ = now + kSecond;
  for (KnownThread& thread : threads_) {
    SampledThread& sampled = *thread.sampled;
    if (sampled.has_ended || thread.is_gone) continue;
    if (sampled.stack_high == 0 && sampled.stack_seen != 0) {
      sampled.stack_high = mapping_end(sampled.stack_seen);
    }
    // A thread that native code made, but that runs Python too.
    if (thread.facts.thread_class == ThreadClass::kNative && sampled.thread_state != 0) {
      thread.facts.thread_class = ThreadClass::kPython;
      thread.sleep = SleepWatch(sampled, now);
      if (thread.recorded_as == kNotRecorded) {
        thread.recorded_as = recorder_.add_thread(thread.facts);
      }
      update_record(thread);
    }
    timers_.review(sampled, thread.timer_history, signals(), period());
  }
}

void Session::find_native_threads(std::int64_t now) {
  const std::size_t count = count_threads();
  if (count == task_count_ && now < next_search_) return;
  task_count_ = count;
  next_search_ = now + kSecond;
  std::vector<int> tasks = list_threads();
  std::sort(tasks.begin(), tasks.end());
  std::vector<int> known = left_out_;
  for (KnownThread& thread : threads_) {
    if (thread.is_gone) continue;
    known.push_back(thread.sampled->tid);
    const bool is_alive = std::binary_search(tasks.begin(), tasks.end(), thread.sampled->tid);
    thread.is_gone = !is_alive;
  }
  std::sort(known.begin(), known.end());
  for (const int tid : tasks) {
    if (tid == own_tid() || (task_watch_ != nullptr && tid == task_watch_->tid())) continue;
    if (std::binary_search(known.begin(), known.end(), tid)) continue;
    add_thread(std::make_unique<SampledThread>(tid, rate_), {.tid = tid,
                                                             .thread_class = ThreadClass::kNative,
                                                             .name = read_task_name(tid),
                                                             .start = now});
  }
}

// A thread that is gone cannot tick any more: what it left is recorded, then it is forgotten.
void Session::retire_gone_threads(std::int64_t now) {
  const auto retire = [&](KnownThread& thread) {
    if (!thread.is_gone) return false;
    drain_thread(thread);
    timers_.stop(*thread.sampled);
    withdraw_thread(*thread.sampled);
    if (thread.facts.thread_class != ThreadClass::kNative) {
      thread.sleep.write_all(thread.recorded_as, thread.last_place, now, recorder_);
    }
    thread.facts.end = now;
    update_record(thread);
    if (thread.recorded_as != kNotRecorded) recorder_.forget_thread(thread.recorded_as);
    counts_of_gone_ += counts_of(*thread.sampled);
    return true;
  };
  threads_.erase(std::remove_if(threads_.begin(), threads_.end(), retire), threads_.end());
}

// A program that sets handlers for all signals takes ours as well: we do with others.
void Session::review_signals() {
  for (const int signal : {signals().usual, signals().trap}) {
    if (signal != 0 && !is_tick_handler_installed(signal)) do_without(signal);
  }
}

void Session::give_up_signal(int signal) {
  const std::lock_guard lock(mutex_);
  const TickSignals ours = signals();
  if (signal != 0 && (signal == ours.usual || signal == ours.trap)) do_without(signal);
}

void Session::do_without(int signal) {
  for (KnownThread& thread : threads_) timers_.stop(*thread.sampled);
  if (signal == trap_) {
    trap_ = 0;
  } else {
    signal_ = install_tick_handler(*tick_);
    if (signal_ == 0) {
      recorder_.message(monotonic_now(), MessageLevel::kWarning,
                        "the program uses all real-time signals; sampling stopped here");
    }
  }
  for (KnownThread& thread : threads_) {
    if (signal_ != 0 && !is_paused_ && !thread.sampled->has_ended && !thread.is_gone) {
      timers_.start(*thread.sampled, signals(), period());
    }
  }
}

Session::Counts Session::counts_of(const SampledThread& thread) {
  return {thread.taken, thread.rejected, thread.lost, thread.handler_time};
}

Session::Counts Session::counts() const {
  Counts all = counts_of_gone_;
  for (const KnownThread& thread : threads_) all += counts_of(*thread.sampled);
  return all;
}

void Session::adapt_rate() {
  if (tick_ == nullptr) return;
  const Counts all = counts();
  cost_.update(all.handler_time, all.taken + all.rejected + all.lost,
               worker_cpu_ + own_thread_cpu() + (task_watch_ != nullptr ? task_watch_->cpu() : 0),
               process_cpu() - cpu_before_);
  if (!options_.rate_is_fixed && cost_.fitting_rate() != rate_) {
    rate_ = cost_.fitting_rate();
    tick_->period.store(period());
    for (KnownThread& thread : threads_) timers_.set_period(*thread.sampled, period());
  }
  // They count when the process is killed, and for whoever looks at it while it runs; otherwise
  // the end of the recording has them.
  constexpr std::int64_t kLongest = 10 * kSecond;
  const std::int64_t now = monotonic_now();
  if (now >= next_statistics_) {
    next_statistics_ = now + std::clamp((now - started_) / 8, kSecond, kLongest);
    write_statistics();
  }
}

void Session::spread_left_over(std::int64_t at_least) {
  for (auto& [name, kind] : kinds_) {
    if (kind.left_cpu < at_least) continue;
    if (kind.recorded_as == kNotRecorded) {
      kind.recorded_as = recorder_.add_thread({.thread_class = ThreadClass::kPython,
                                               .name = fmt::format("{}{}", kShortThreads, name),
                                               .start = started_});
    }
    if (kind.places.empty()) {
      kind.places[{recorder_.label_node(Recorder::kNoNode, "(too short to be seen)"), false}] = 1;
    }
    std::int64_t samples = 0;
    for (const auto& [place, count] : kind.places) samples += count;
    const auto share = [&](std::int64_t time, std::int64_t count) {
      return static_cast<std::int64_t>(static_cast<double>(time) * static_cast<double>(count) /
                                       static_cast<double>(samples));
    };
    for (const auto& [place, count] : kind.places) {
      TimeValues values;
      const std::int64_t cpu = share(kind.left_cpu, count);
      const std::int64_t system = std::clamp<std::int64_t>(share(kind.left_system, count), 0, cpu);
      values[TimeKind::kWall] = values[TimeKind::kCpu] = cpu;
      values[TimeKind::kSystem] = system;
      values[place.second ? TimeKind::kNative : TimeKind::kPython] = cpu - system;
      recorder_.sample(kind.recorded_as, monotonic_now(), place.first, values);
    }
    kind.left_cpu = kind.left_system = 0;
  }
}

void Session::update_record(const KnownThread& thread) {
  if (thread.recorded_as != kNotRecorded) recorder_.update_thread(thread.recorded_as, thread.facts);
}

void Session::write_statistics() {
  if (const auto pools = pools_.news()) recorder_.attribute("blas", *pools);
  if (exact_ != nullptr) exact_->write_statistics(recorder_);
  if (tick_ == nullptr) return;
  const Counts all = counts();
  recorder_.attribute("sampler.rate", std::to_string(rate_));
  recorder_.attribute("sampler.clock", timers_.kind_in_use());
  recorder_.attribute("sampler.samples", std::to_string(all.taken));
  recorder_.attribute("sampler.rejected", std::to_string(all.rejected));
  recorder_.attribute("sampler.lost", std::to_string(all.lost));
  recorder_.attribute("sampler.cost", std::to_string(cost_.total()));
  recorder_.attribute("sampler.cpu", std::to_string(process_cpu() - cpu_before_));
}

void Session::review_hot_functions(std::int64_t now) {
  constexpr std::int64_t kShortest = 2 * kSecond;  // a program's beginning is seldom what is hot
  if (!lines_->wants_hot_functions() || now - started_ < kShortest || !hot_.are_known()) return;
  lines_->stop_waiting_for_hot();
  const std::vector<HotFunction> hottest = hot_.hottest();
  std::string names;
  for (const HotFunction& function : hottest) {
    names += (names.empty() ? "" : ", ") + function.qualified_name;
  }
  recorder_.message(
      now, MessageLevel::kInfo,
      hottest.empty()
          ? "no function is hot enough for its lines to be measured"
          : fmt::format("lines of the hottest functions are measured since {:.1f} s: {}",
                        static_cast<double>(now - started_) / 1e9, names));
  if (!hottest.empty()) measure_hot_lines(*lines_, hottest);
}

}  // namespace pyrometer

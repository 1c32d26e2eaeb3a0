#include "collect/exact_recording.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "exact/call_events.h"
#include "exact/monitoring.h"
#include "exact/summary.h"
#include "os/clocks.h"
#include "os/own_thread.h"
#include "os/task_files.h"

namespace pyrometer {
namespace {

constexpr auto kUser = static_cast<std::size_t>(CounterUser::kRecording);
constexpr std::string_view kMorePathsLabel = "(more call paths)";

ExactRecording* active = nullptr;

// The calling thread's; one of an earlier recording is given up.
void set_own_counter(CallCounter* counter) {
  if (own_counters_recording != recording_number_of_counters) delete own_counters[kUser];
  own_counters_recording = recording_number_of_counters;
  own_counters[kUser] = counter;
}

CallCounter* current_own_counter() {
  return own_counters_recording == recording_number_of_counters ? own_counters[kUser] : nullptr;
}

std::int64_t nanoseconds(std::int64_t counts, double scale) {
  return std::llround(static_cast<double>(counts) * scale);
}

}  // namespace

Result<void> ExactRecording::start() {
  PYROMETER_TRY_VOID(prepare_call_events());
  has_monitoring();  // asked now, while we have the GIL
  PYROMETER_TRY(costs_, measure_call_costs(CounterUser::kRecording));
  active = this;
  cpu_before_ = process_cpu();
  ++recording_number_of_counters;
  begin_recorded_thread = &meet_thread;
  return {};
}

void ExactRecording::stop(std::int64_t now) {
  begin_recorded_thread = nullptr;
  end_call_events(CounterUser::kRecording);
  const std::lock_guard lock(mutex_);
  for (auto& thread : threads_) {
    thread->counter->paths.end();
    if (thread->facts.end == 0) thread->facts.end = now;
  }
}

// A thread that native code made, or that was there before us, calls something for the first time;
// events of it come already.
CallCounter* ExactRecording::meet_thread() {
  const int tid = own_tid();
  const auto expected = active->expected_.find(tid);
  CallCounter* counter =
      active->add_thread(expected != active->expected_.end()
                             ? expected->second
                             : Recorder::ThreadFacts{.tid = tid,
                                                     .thread_class = ThreadClass::kPython,
                                                     .name = read_task_name(tid),
                                                     .start = monotonic_now()});
  set_own_counter(counter);
  counter->paths.begin();
  return counter;
}

void ExactRecording::expect_thread(const Recorder::ThreadFacts& facts) {
  expected_[facts.tid] = facts;
}

void ExactRecording::stand_in(const std::vector<PyObject*>& codes) {
  const UncountedCalls uncounted;
  const std::lock_guard lock(mutex_);
  for (PyObject* code : codes) {
    threads_.back()->counter->paths.stand_in(code, functions_.of_code(code));
  }
}

CallCounter* ExactRecording::add_thread(const Recorder::ThreadFacts& facts) {
  auto thread = std::make_unique<KnownThread>();
  thread->counter = std::make_unique<CallCounter>(functions_, options_.c_callables, CallClock());
  if (options_.timeline != 0) {
    thread->timeline = std::make_unique<CallTimeline>(options_.timeline);
    thread->counter->paths.keep_timeline(thread->timeline.get());
  }
  thread->facts = facts;
  CallCounter* counter = thread->counter.get();
  const std::lock_guard lock(mutex_);
  threads_.push_back(std::move(thread));
  return counter;
}

void ExactRecording::begin_own_thread(const Recorder::ThreadFacts& facts) {
  CallCounter* counter = add_thread(facts);
  if (!start_call_events(CounterUser::kRecording, options_.c_callables != CCallables::kNone))
    return;
  set_own_counter(counter);
  counter->paths.begin();
}

void ExactRecording::end_own_thread(const std::string& name, std::int64_t now) {
  CallCounter* counter = current_own_counter();
  if (counter == nullptr) return;
  counter->paths.end();
  own_counters[kUser] = nullptr;
  const std::lock_guard lock(mutex_);
  for (auto& thread : threads_) {
    if (thread->counter.get() != counter) continue;
    if (!name.empty()) thread->facts.name = name;
    thread->facts.end = now;
    thread->has_ended = true;
  }
}

std::optional<std::uint32_t> ExactRecording::recorded_as(int tid) {
  const std::lock_guard lock(mutex_);
  for (const auto& thread : threads_) {
    if (thread->facts.tid == tid && thread->is_announced) return thread->recorded_as;
  }
  return std::nullopt;
}

void ExactRecording::restart_after_fork() {
  const CallCounter* before = current_own_counter();
  // What the parent's threads counted is not ours; the memory stays, unused.
  for (auto& thread : threads_) [[maybe_unused]]
    const KnownThread* forgotten = thread.release();
  threads_.clear();
  function_records_.clear();
  CallCounter* counter = add_thread({.tid = own_tid(),
                                     .thread_class = ThreadClass::kMain,
                                     .name = "MainThread",
                                     .start = monotonic_now()});
  counter->paths.begin();
  if (before != nullptr) counter->paths.go_to_position_of(before->paths);
  own_counters_recording = recording_number_of_counters;
  own_counters[kUser] = counter;
  expected_.clear();
  cpu_before_ = 0;
  is_paused_ = false;
  pauses_.clear();
}

// What records a part of the program is no part of it, nor what it calls in C.
bool ExactRecording::is_ours(const CallPath& path) const {
  const auto is_hidden = [&](std::uint32_t function) {
    return function < function_records_.size() && Recorder::is_hidden(function_records_[function]);
  };
  return is_hidden(path.function) ||
         (path.parent->index != path.index && is_hidden(path.parent->function) &&
          path.function < function_records_.size() && !functions_.is_python(path.function));
}

void ExactRecording::learn_functions(Recorder& recorder) {
  const std::uint32_t size = functions_.size();
  for (auto i = static_cast<std::uint32_t>(function_records_.size()); i < size; ++i) {
    function_records_.push_back(recorder.define_function(functions_.describe(i)));
  }
}

void ExactRecording::write(Recorder& recorder, std::int64_t now, bool is_last) {
  const double scale = CycleCounter::own().nanoseconds_per_count();
  const std::lock_guard lock(mutex_);
  if (is_paused_ && !is_last) return;
  if (options_.throttles && !is_last) review_throttling(recorder, now, scale);
  for (auto& thread : threads_) {
    write_thread(*thread, recorder, now, scale);
    if (is_last || thread->has_ended) write_timeline(*thread, recorder, now, scale);
  }
  std::erase_if(threads_, [this](const auto& thread) {
    if (!thread->has_ended) return false;
    const Effort effort = effort_of(thread->counter->paths);
    calls_of_gone_ += effort.calls;
    cost_of_gone_ += effort.cost;
    return true;
  });
}

// Called very often and done at once: counting such a function costs more than it tells.
void ExactRecording::review_throttling(Recorder& recorder, std::int64_t now, double scale) {
  constexpr std::uint64_t kManyCalls = 100'000;
  constexpr double kShort = 10'000;  // ns
  constexpr std::int64_t kWindow = 1'000'000'000;
  if (!has_monitoring()) {
    if (throttled_.insert(kNoFunction).second) {
      recorder.message(now, MessageLevel::kWarning,
                       "--throttle needs Python 3.12 or newer: every call is counted");
    }
    return;
  }
  for (const auto& thread : threads_) {
    for (const auto& [function, cost] : summarize_calls(thread->counter->paths).functions) {
      if (cost.calls <= kManyCalls || throttled_.contains(function)) continue;
      const double each = static_cast<double>(cost.total) * scale / static_cast<double>(cost.calls);
      const CalledFunction called = functions_.describe(function);
      if (each >= kShort || !called.is_python) continue;
      throttled_.insert(function);
      recorder.message(
          now, MessageLevel::kWarning,
          fmt::format("{} ({}:{}) was called {} times at {:.2f} us each; from now on {} of its "
                      "calls are counted per second and thread, and the time of the others is "
                      "their callers' (--throttle)",
                      called.qualified_name, called.file, called.first_line, cost.calls,
                      each / 1000, kThrottledCalls));
    }
  }
  if (throttled_.empty()) return;
  for (const auto& thread : threads_) {
    for (const std::uint32_t function : throttled_) thread->counter->paths.throttle(function);
  }
  if (now < next_window_) return;
  next_window_ = now + kWindow;
  open_throttle_window();
}

CallbackCost ExactRecording::cost_of(const CallPath& path) const {
  return functions_.is_python(path.function) ? costs_.python : costs_.c;
}

ExactRecording::Effort ExactRecording::effort_of(const CallPaths& paths) const {
  Effort effort;
  for (std::uint32_t i = 1; i < paths.size(); ++i) {
    const CallPath& path = paths.path(i);
    const std::uint64_t calls = path.calls.load(std::memory_order_relaxed);
    effort.calls += calls;
    effort.cost += static_cast<double>(calls) *
                   (path.function == kMorePaths ? costs_.python : cost_of(path)).sum();
  }
  return effort;
}

void ExactRecording::write_statistics(Recorder& recorder) {
  const double scale = CycleCounter::own().nanoseconds_per_count();
  const std::lock_guard lock(mutex_);
  Effort all{calls_of_gone_, cost_of_gone_};
  for (const auto& thread : threads_) {
    const Effort effort = effort_of(thread->counter->paths);
    all.calls += effort.calls;
    all.cost += effort.cost;
  }
  const auto tell = [&](std::string_view key, double nanoseconds) {
    recorder.attribute(key, std::to_string(std::llround(nanoseconds)));
  };
  recorder.attribute("exact.calls", std::to_string(all.calls));
  tell("exact.cost", all.cost * scale);
  tell("exact.cpu", static_cast<double>(process_cpu() - cpu_before_));
  tell("exact.cost_per_call", costs_.python.sum() * scale);
  tell("exact.cost_per_c_call", costs_.c.sum() * scale);
  recorder.attribute("exact.cost_is_subtracted", options_.subtracts_cost ? "1" : "0");
}

std::vector<double> ExactRecording::own_costs(const KnownThread& thread, std::uint32_t size) const {
  if (!options_.subtracts_cost) return {};
  const CallPaths& paths = thread.counter->paths;
  std::vector<double> costs(size);
  for (std::uint32_t i = 1; i < size; ++i) {
    const CallPath& path = paths.path(i);
    if (path.function == kMorePaths) continue;
    const auto calls = static_cast<double>(counted(thread, i).calls);
    costs[i] += calls * cost_of(path).callee;
    costs[path.parent->index] += calls * cost_of(path).caller;
  }
  return costs;
}

void ExactRecording::write_thread(KnownThread& thread, Recorder& recorder, std::int64_t now,
                                  double scale) {
  if (!thread.is_announced) {
    thread.recorded_as = recorder.add_thread(thread.facts);
    thread.is_announced = true;
  } else if (thread.has_ended) {
    recorder.update_thread(thread.recorded_as, thread.facts);
  }
  write_paths(thread, recorder, now, scale);
  if (!thread.counter->paths.is_folded()) return;
  if (!std::exchange(thread.is_folded, true)) {
    recorder.message(now, MessageLevel::kWarning,
                     fmt::format("thread {} took more than {} call paths; what is called on others "
                                 "is counted by function and caller, and stands as {} in trees",
                                 thread.facts.name, CallPaths::kMostPaths, kMorePathsLabel));
  }
  write_summary(thread, recorder, now, scale);
}

void ExactRecording::write_paths(KnownThread& thread, Recorder& recorder, std::int64_t now,
                                 double scale) {
  const CallPaths& paths = thread.counter->paths;
  const std::uint32_t size = paths.size();
  learn_functions(recorder);  // after the size: each path's function is known then
  for (auto i = static_cast<std::uint32_t>(thread.nodes.size()); i < size; ++i) {
    const CallPath& path = paths.path(i);
    const bool is_root = i == 0;
    const CallPath* caller = path.parent;
    while (caller->index != 0 && is_ours(*caller)) caller = caller->parent;
    const std::uint32_t parent =
        is_root || caller->index == 0 ? Recorder::kNoNode : thread.nodes[caller->index];
    const bool is_label = is_root || path.function == kMorePaths;
    if (is_ours(path)) {
      thread.nodes.push_back(thread.nodes[path.parent->index]);  // whoever called us
      continue;
    }
    const auto label = std::string(is_root ? "(interpreter)" : kMorePathsLabel);
    thread.nodes.push_back(is_label
                               ? recorder.label_node(parent, label)
                               : recorder.function_node(parent, function_records_[path.function]));
  }
  thread.written.resize(size);
  const std::vector<double> costs = own_costs(thread, size);
  std::set<std::uint32_t> changed;
  for (std::uint32_t i = 0; i < size; ++i) {
    const CallPath& path = paths.path(i);
    Totals now_seen = counted(thread, i);
    if (i == 0 || path.function == kMorePaths || is_ours(path)) now_seen.calls = 0;
    if (!costs.empty()) {
      now_seen.self = std::max<std::int64_t>(0, now_seen.self - std::llround(costs[i]));
    }
    Totals& before = thread.written[i];
    if (now_seen.calls == before.calls && now_seen.self == before.self) continue;
    const std::uint32_t node = thread.nodes[i];
    if (node >= thread.by_node.size()) thread.by_node.resize(node + 1);
    thread.by_node[node].calls += now_seen.calls - before.calls;
    thread.by_node[node].self += now_seen.self - before.self;
    before = now_seen;
    changed.insert(node);
  }
  // Of what the thread does since its last event: the next time replaces it.
  std::uint32_t position = Recorder::kNoNode;
  std::int64_t pending = 0;
  if (!is_paused_ && paths.is_counting() && paths.position()->index < size) {
    position = thread.nodes[paths.position()->index];
    pending = pending_of(paths);
    if (position >= thread.by_node.size()) thread.by_node.resize(position + 1);
    changed.insert(position);
  }
  if (changed.empty()) return;
  std::vector<Recorder::CallTotals> rows;
  for (const std::uint32_t node : changed) {
    const Totals& totals = thread.by_node[node];
    rows.push_back({.node = node,
                    .calls = static_cast<std::int64_t>(totals.calls),
                    .self = nanoseconds(totals.self + (node == position ? pending : 0), scale)});
  }
  recorder.call_totals(thread.recorded_as, now, rows);
}

void ExactRecording::write_timeline(KnownThread& thread, Recorder& recorder, std::int64_t now,
                                    double scale) const {
  if (thread.timeline == nullptr) return;
  const CallTimeline::Latest latest = thread.timeline->latest(thread.timeline_seen);
  thread.timeline_seen = latest.seen;
  const CycleCounter& counter = CycleCounter::own();
  std::vector<Recorder::Call> calls;
  for (const CallTimeline::Call& call : latest.calls) {
    if (call.path >= thread.nodes.size()) continue;  // made since the paths were written
    const std::int64_t start = counter.time_of(call.start, scale);
    const bool is_left_out = std::any_of(pauses_.begin(), pauses_.end(), [&](const auto& pause) {
      return start >= pause.first && start < pause.second;
    });
    if (is_left_out) continue;
    calls.push_back(
        {.start = start,
         .duration = nanoseconds(static_cast<std::int64_t>(call.end - call.start), scale),
         .node = thread.nodes[call.path]});
  }
  recorder.calls(thread.recorded_as, calls);
  if (latest.dropped == 0) return;
  recorder.message(now, MessageLevel::kWarning,
                   fmt::format("the timeline has the last {} calls of thread {}; {} earlier ones "
                               "were dropped (--timeline-size keeps more)",
                               latest.calls.size(), thread.facts.name, latest.dropped));
}

void ExactRecording::write_summary(const KnownThread& thread, Recorder& recorder, std::int64_t now,
                                   double scale) {
  const FoldedCalls::Counts counts = summarize_calls(thread.counter->paths);
  learn_functions(recorder);
  // Functions with the same content share a record: their figures are added up.
  std::map<std::pair<std::uint32_t, std::uint32_t>, Recorder::FlatTotals> sums;
  const auto add = [&](std::uint32_t caller, std::uint32_t callee, const CallStatistics& cost) {
    if (Recorder::is_hidden(caller) || Recorder::is_hidden(function_records_[callee])) return;
    Recorder::FlatTotals& row = sums[{caller, function_records_[callee]}];
    row.caller = caller;
    row.callee = function_records_[callee];
    row.calls += static_cast<std::int64_t>(cost.calls);
    row.primitive_calls += static_cast<std::int64_t>(cost.calls - cost.recursive_calls);
    row.self += nanoseconds(cost.self, scale);
    row.total += nanoseconds(cost.total, scale);
  };
  for (const auto& [function, cost] : counts.functions) add(Recorder::kNoNode, function, cost);
  for (const auto& [pair, cost] : counts.pairs) {
    add(function_records_[pair.caller], pair.callee, cost);
  }
  std::vector<Recorder::FlatTotals> rows;
  for (const auto& [key, row] : sums) rows.push_back(row);
  recorder.flat_totals(thread.recorded_as, now, rows);
}

}  // namespace pyrometer

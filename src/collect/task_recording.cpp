#include "collect/task_recording.h"

#include <algorithm>

#include "collect/task_names.h"

namespace pyrometer {

std::uint32_t TaskRecording::meet(const MetTask& task) {
  constexpr std::size_t kMostKnown = 100'000;
  std::vector<TaskTable::Frame> frames;
  OwnMemory memory;
  for (const RawFrame& frame : task.chain) {
    const std::uint32_t code = codes_.identify(memory, frame.code);
    if (code == CodeTable::kUnknown) break;  // no room just now
    if (code != CodeTable::kShim) frames.push_back({code, frame.instruction});
  }
  const std::lock_guard lock(mutex_);
  const TaskTable::KindId kind = table_.kind(task_kind(task.name, task.coroutine));
  if (!frames.empty()) codes_of_kinds_.emplace(kind, frames.front().code);
  if (task.frame != 0) finder_.remember(task.frame, kind);
  // Addresses are used again; names that asyncio makes up are not.
  const std::size_t name = std::hash<std::string_view>()(task.name);
  const bool has_room = known_.size() < kMostKnown;
  const auto known =
      has_room ? known_.try_emplace(task.identity).first : known_.find(task.identity);
  if (known != known_.end()) {
    const bool is_new = known->second.visit == 0 || known->second.name != name;
    known->second = {name, visit_};
    if (is_new) ++table_.change(table_.place(kind, {})).tasks;
  }
  return table_.place(kind, frames, task.awaited);
}

void TaskRecording::add_waiting(std::uint32_t place, std::int64_t time) {
  const std::lock_guard lock(mutex_);
  table_.change(place).waiting += time;
}

void TaskRecording::saw_block(std::uint32_t place, std::int64_t time) {
  const std::lock_guard lock(mutex_);
  std::int64_t& longest = table_.change(place).longest;
  longest = std::max(longest, time);
}

void TaskRecording::end_visit(std::uint64_t patience) {
  const std::lock_guard lock(mutex_);
  ++visit_;
  // Now and then, so that it costs nothing.
  constexpr std::uint64_t kEvery = 64;
  if (visit_ % kEvery != 0) return;
  erase_if(known_, [&](const auto& task) { return task.second.visit + patience < visit_; });
}

// What a visit said of an address holds while the same coroutine is there.
TaskTable::KindId TaskRecording::kind_of(const Moment& moment) const {
  const TaskTable::KindId kind = finder_.kind_of(moment.frame);
  return codes_of_kinds_.contains({kind, moment.frames.front().code}) ? kind : 0;
}

void TaskRecording::add(const Moment& moment, TaskTable::KindId kind,
                        const TaskTable::Values& values) {
  const std::uint32_t place = table_.place(kind, moment.frames);
  table_.change(place).add(values);
  note_burst(moment, place);
}

void TaskRecording::add(const Moment& moment, std::string_view coroutine,
                        const TaskTable::Values& values) {
  constexpr std::size_t kMostUnnamed = 1000;
  if (const TaskTable::KindId kind = kind_of(moment); kind != 0) {
    add(moment, kind, values);
  } else if (unnamed_.size() < kMostUnnamed) {
    unnamed_.push_back({moment, std::string(coroutine), values});
  } else {
    add(moment, table_.kind(task_kind({}, coroutine)), values);
  }
}

void TaskRecording::name_the_unnamed() {
  for (const Unnamed& each : std::exchange(unnamed_, {})) {
    const TaskTable::KindId kind = kind_of(each.moment);
    add(each.moment, kind != 0 ? kind : table_.kind(task_kind({}, each.coroutine)), each.values);
  }
}

void TaskRecording::note_burst(const Moment& moment, std::uint32_t place) {
  if (moment.step == 0) return;
  Bursts& bursts = bursts_[moment.thread];
  auto burst = std::find_if(bursts.newest.begin(), bursts.newest.end(),
                            [&](const Burst& known) { return known.step == moment.step; });
  if (burst == bursts.newest.end()) {
    burst = bursts.newest.begin() + static_cast<std::ptrdiff_t>(bursts.next);
    bursts.next = (bursts.next + 1) % bursts.newest.size();
    *burst = {moment.step, moment.begin, moment.end};
  }
  burst->begin = std::min(burst->begin, moment.begin);
  burst->end = std::max(burst->end, moment.end);
  std::int64_t& longest = table_.change(place).longest;
  longest = std::max(longest, burst->end - burst->begin);
}

void TaskRecording::add_work(const Moment& moment, std::string_view coroutine, std::int64_t cpu) {
  const std::lock_guard lock(mutex_);
  add(moment, coroutine, {.work = cpu});
}

void TaskRecording::add_blocked(const Moment& moment, std::string_view coroutine,
                                std::int64_t time) {
  const std::lock_guard lock(mutex_);
  add(moment, coroutine, {.blocked = time});
}

void TaskRecording::write(Recorder& recorder, std::int64_t now,
                          const std::function<void()>& drain_codes) {
  const std::lock_guard lock(mutex_);
  name_the_unnamed();
  if (!table_.has_changes()) return;
  drain_codes();
  std::set<std::uint32_t> changed;
  table_.take_changes(
      [&](std::uint32_t parent, const TaskTable::Step& step) {
        return step.label.empty()
                   ? recorder.python_node(parent, step.frame.code, step.frame.instruction)
                   : recorder.label_node(parent, std::string(step.label));
      },
      [&](std::uint32_t node, const TaskTable::Values& values) {
        totals_[node].add(values);
        changed.insert(node);
      });
  std::vector<std::pair<std::uint32_t, TaskTable::Values>> rows;
  for (const std::uint32_t node : changed) rows.emplace_back(node, totals_[node]);
  if (!rows.empty()) recorder.task_totals(now, rows);
}

}  // namespace pyrometer

// How a session turns what threads left behind into samples and MPI calls of the recording.
#include <algorithm>

#include "collect/session.h"

namespace pyrometer {

void Session::drain(std::int64_t now) {
  // Before threads that are gone are forgotten.
  if (regions_ != nullptr) regions_->drain(recorder_, find_thread_);
  if (copies_ != nullptr) copies_->meet_threads(find_thread_);
  if (tick_ == nullptr) return;
  modules_.update();
  if (mpi_ != nullptr) mpi_->sample(recorder_, now, find_mpi_thread_, drain_codes_);
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

void Session::drain_codes() {
  CodeTable* codes = tick_ != nullptr     ? tick_->codes
                     : mpi_ != nullptr    ? mpi_->codes()
                     : memory_ != nullptr ? memory_->codes()
                                          : nullptr;
  if (codes == nullptr) return;
  codes->drain([this](const CodeCopy& code) {
    recorder_.define_code(code);
    if (lines_ != nullptr && lines_->wants_hot_functions()) hot_.learn(code);
  });
}

// Where a sample was taken; nothing when that cannot be said yet.
std::optional<std::uint32_t> Session::node_of(KnownThread& thread, const Sample& sample) {
  if (sample.is_shutdown) {
    return recorder_.label_node(Recorder::kNoNode, "(interpreter shutdown)");
  }
  return thread.nodes.find(thread.sampled->tree, sample.node, recorder_, drain_codes_);
}

// Inside MPI a thread does not work, even where it keeps a core busy while it waits.
bool Session::record_in_mpi(KnownThread& thread, const Sample& sample) {
  const MpiThread* mpi = thread.sampled->mpi.load();
  const auto node = mpi_->node(*mpi, sample.node, recorder_, drain_codes_);
  if (!node) return false;
  TimeValues values;
  values[TimeKind::kWall] = values[TimeKind::kMpi] = sample.cpu;
  recorder_.sample(record_of(thread), sample.time, *node, values, sample.cpu);
  return true;
}

void Session::record_task(KnownThread& thread, const Sample& sample) {
  TaskRecording::Moment moment{.thread = thread.recorded_as,
                               .begin = sample.time,
                               .end = sample.time,
                               .step = sample.step,
                               .frame = sample.coroutine_frame};
  std::uint32_t number = sample.coroutine_node;
  for (std::size_t i = 0; i < sample.coroutine_frames && number != CallTree::kRoot; ++i) {
    const CallTree::Node node = thread.sampled->tree.node(number);
    moment.frames.push_back({node.code, node.instruction});
    number = node.parent;
  }
  std::reverse(moment.frames.begin(), moment.frames.end());
  const std::string_view coroutine = recorder_.qualified_name(moment.frames.front().code);
  tasks_->add_work(moment, coroutine, sample.cpu);
}

std::uint32_t Session::record_of(KnownThread& thread) {
  if (thread.recorded_as == kNotRecorded) thread.recorded_as = recorder_.add_thread(thread.facts);
  return thread.recorded_as;
}

std::optional<std::uint32_t> Session::find_recorded_thread(int tid) {
  for (KnownThread& thread : threads_) {
    if (thread.sampled->tid == tid && !thread.is_gone) return record_of(thread);
  }
  return exact_ != nullptr ? exact_->recorded_as(tid) : std::nullopt;
}

MpiRecording::KnownThread Session::find_mpi_thread(const MpiThread& mpi) {
  const auto uses_it = [&](const KnownThread& thread) { return thread.sampled->mpi == &mpi; };
  return {.recorded_as = find_recorded_thread(mpi.tid),
          .is_in_use = std::any_of(threads_.begin(), threads_.end(), uses_it)};
}

bool Session::record(KnownThread& thread, const Sample& sample) {
  if (sample.is_mpi) return record_in_mpi(thread, sample);
  const auto place = node_of(thread, sample);
  if (!place) return false;
  std::uint32_t node = *place;
  const auto module = modules_.find(sample.program_counter);
  // A thread stopped at the end of a system call did its work in the kernel, not in the C library.
  const bool is_native = module != interpreter_module_ && module != own_module_ &&
                         module != memory_module_ && module != copies_module_ &&
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
  if (thread.facts.thread_class == ThreadClass::kPython) {
    constexpr std::size_t kMostPlaces = 4096;
    auto& places = kinds_[thread.sampled->kind].places;
    if (places.size() < kMostPlaces) ++places[{node, is_native}];
  }
  recorder_.sample(record_of(thread), sample.time, node, values);
  if (tasks_ != nullptr && sample.coroutine_frames != 0) record_task(thread, sample);
  thread.last_node = node;
  if (*place != Recorder::kNoNode && !sample.is_shutdown) thread.last_place = *place;
  thread.was_native = is_native;
  return true;
}

// The last place is the best guess; a short life has used a good part of its time there.
void Session::record_rest(const Rest& rest) {
  const auto thread = std::find_if(threads_.begin(), threads_.end(), [&](const auto& known) {
    return known.sampled.get() == rest.thread;
  });
  if (thread == threads_.end() || rest.cpu <= 0) return;
  if (thread->last_node == Recorder::kNoNode) {
    thread->last_node = recorder_.label_node(Recorder::kNoNode, "(too short to be sampled)");
  }
  const std::int64_t system = std::clamp<std::int64_t>(rest.system, 0, rest.cpu);
  TimeValues values;
  values[TimeKind::kWall] = rest.cpu;
  values[TimeKind::kCpu] = rest.cpu;
  values[TimeKind::kSystem] = system;
  values[thread->was_native ? TimeKind::kNative : TimeKind::kPython] = rest.cpu - system;
  recorder_.sample(record_of(*thread), monotonic_now(), thread->last_node, values);
}

}  // namespace pyrometer

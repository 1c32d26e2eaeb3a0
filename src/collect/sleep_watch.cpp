#include "collect/sleep_watch.h"

#include <algorithm>

#include "collect/wait_kinds.h"
#include "os/clocks.h"

namespace pyrometer {

SleepWatch::SleepWatch(const SampledThread& thread, std::int64_t now)
    : last_visit_(now),
      last_cpu_(thread_cpu(thread.tid)),
      last_run_delay_(read_run_delay(thread.tid).value_or(0)) {}

bool SleepWatch::visit(const SampledThread& thread, std::uint32_t recorded_as, std::int64_t now,
                       const Tools& tools) {
  const std::int64_t cpu = thread_cpu(thread.tid);
  if (cpu < 0) return false;  // gone
  const std::int64_t ran = cpu - last_cpu_;
  off_cpu_ += std::max<std::int64_t>(0, now - last_visit_ - ran);
  last_visit_ = now;
  last_cpu_ = cpu;
  const bool is_same_wait = is_asleep_ && ran == 0;
  if (!is_same_wait) {
    write_wait(recorded_as, now, tools.recorder);
    // A thread that hardly left its core since the last look is not looked at.
    constexpr std::int64_t kWorthALook = 500'000;
    if (off_cpu_ - looked_for_ < kWorthALook) {
      is_asleep_ = false;
      return false;
    }
    is_asleep_ = find_wait(thread, cpu, tools);
    settle_core_waits(thread);
    if (!is_asleep_) {
      const bool has_slept = off_cpu_ - looked_for_ >= kWorthALook;
      looked_for_ = off_cpu_;
      return has_slept;
    }
  }
  asleep_ += off_cpu_;
  off_cpu_ = looked_for_ = 0;
  return !is_same_wait;
}

// What the thread waited for a core is no part of the wait that came after it.
void SleepWatch::settle_core_waits(const SampledThread& thread) {
  const auto run_delay = read_run_delay(thread.tid);
  if (!run_delay) return;
  const std::int64_t waited = std::clamp<std::int64_t>(*run_delay - last_run_delay_, 0, off_cpu_);
  last_run_delay_ = *run_delay;
  runnable_ += waited;
  off_cpu_ -= waited;
  looked_for_ = std::min(looked_for_, off_cpu_);
}

bool SleepWatch::find_wait(const SampledThread& thread, std::int64_t cpu, const Tools& tools) {
  const auto state = read_task_state(thread.tid);
  if (!state || state->is_running) return false;
  const std::uintptr_t thread_state = thread.thread_state.load(std::memory_order_acquire);
  const std::uintptr_t stack_high = thread.stack_high.load(std::memory_order_acquire);
  std::uint32_t node = Recorder::kNoNode;
  if (thread_state != 0 && stack_high != 0) {
    OtherThreadMemory memory;
    FrameWalker walker(memory, tools.layout, thread_state, {state->stack_pointer, stack_high},
                       NoCodeIsKnown());
    const Walk walk = walker.walk(tools.frames);
    if (walk.status == WalkStatus::kRejected) return false;
    // The memory may have become another thread's state since it was announced.
    const char* id =
        memory.view(thread_state + tools.layout.thread.native_id, sizeof(std::uint64_t));
    if (id == nullptr || load<std::uint64_t>(id) != static_cast<std::uint64_t>(thread.tid)) {
      return false;
    }
    if (walk.status == WalkStatus::kTruncated) {
      node = tools.recorder.label_node(node, kDeeperFrames);
    }
    std::array<std::uint32_t, SampledThread::kDeepest> codes{};
    for (std::size_t i = 0; i < walk.depth; ++i) {
      codes[i] = tools.codes.identify(memory, tools.frames[i].code);
      if (codes[i] == CodeTable::kUnknown) return false;
    }
    if (thread_cpu(thread.tid) != cpu) return false;  // it ran: what was read may be torn
    tools.codes.drain([&](const CodeCopy& code) { tools.recorder.define_code(code); });
    for (std::size_t i = walk.depth; i-- > 0;) {
      if (codes[i] == CodeTable::kShim) continue;
      node = tools.recorder.python_node(node, codes[i], tools.frames[i].instruction);
      if (node == Recorder::kNoNode) return false;
    }
  } else if (thread_cpu(thread.tid) != cpu) {
    return false;
  }
  const Wait wait = wait_of(*state, tools.symbols);
  kind_ = wait.kind;
  node_ = tools.recorder.label_node(node, wait.label);
  return true;
}

void SleepWatch::write_wait(std::uint32_t recorded_as, std::int64_t now, Recorder& recorder) {
  if (asleep_ == 0) return;
  TimeValues values;
  values[TimeKind::kWall] = asleep_;
  values[kind_] = asleep_;
  recorder.sample(recorded_as, now, node_, values);
  asleep_ = 0;
}

void SleepWatch::write(const SampledThread& thread, std::uint32_t recorded_as, std::int64_t now,
                       Recorder& recorder, std::int64_t patience) {
  if (off_cpu_ != 0 && !thread.has_ended.load()) settle_core_waits(thread);
  if (runnable_ != 0 && recorder.spread_runnable(recorded_as, runnable_)) runnable_ = 0;
  if (asleep_ > patience) write_wait(recorded_as, now, recorder);
}

}  // namespace pyrometer

#include "collect/sleep_watch.h"

#include <algorithm>
#include <utility>

#include "collect/wait_kinds.h"
#include "os/clocks.h"

namespace pyrometer {

namespace {

// Nothing while the thread is in a long MPI call, where its clocks stand still.
std::optional<MpiClocks::Missed> missed_by(const SampledThread& thread) {
  const MpiThread* mpi = thread.mpi.load(std::memory_order_acquire);
  return mpi == nullptr ? MpiClocks::Missed() : mpi->clocks.missed();
}

}  // namespace

SleepWatch::SleepWatch(const SampledThread& thread, std::int64_t now)
    : task_(thread.tid),
      missed_(missed_by(thread).value_or(MpiClocks::Missed())),
      last_visit_(now - thread.time_with_us(now) - missed_.wall),
      last_cpu_(thread_cpu(thread.tid) - missed_.cpu),
      last_run_delay_(task_.run_delay().value_or(0)),
      short_(now) {}

std::optional<std::int64_t> SleepWatch::advance(const SampledThread& thread, std::int64_t cpu,
                                                std::int64_t now) {
  const auto missed = missed_by(thread);
  if (!missed) return std::nullopt;
  const std::int64_t ran = cpu - missed->cpu - last_cpu_;
  // Its clock is read later than ours, and somebody else may have our core in between.
  const std::int64_t ran_until = last_visit_ + ran;
  const std::int64_t visit = std::max(now - thread.time_with_us(now) - missed->wall, ran_until);
  off_cpu_ += visit - ran_until;
  off_cpu_in_mpi_ += missed->wall - missed_.wall - (missed->cpu - missed_.cpu);
  missed_ = *missed;
  last_visit_ = visit;
  last_cpu_ = cpu - missed->cpu;
  return ran;
}

bool SleepWatch::visit(const SampledThread& thread, std::uint32_t recorded_as, std::int64_t now,
                       const Tools& tools) {
  if (thread.with_us_since.load(std::memory_order_acquire) != 0) {
    end(thread, recorded_as, now, tools.recorder);
    return false;
  }
  const std::int64_t cpu = thread_cpu(thread.tid);
  if (cpu < 0) return false;  // gone
  const auto ran = advance(thread, cpu, now);
  if (!ran) {
    leave_wait(recorded_as, now, tools.recorder);
    return false;
  }
  if (is_asleep_ && *ran == 0) {
    is_long_ = true;
    wait_.task.end = now;
    asleep_ += std::exchange(off_cpu_, 0);
    return false;
  }
  // A thread that hardly left its core since the last look is not looked at.
  constexpr std::int64_t kWorthALook = 500'000;
  if (off_cpu_ - looked_for_ < kWorthALook) {
    leave_wait(recorded_as, now, tools.recorder);
    if (*ran != 0) settle_older();
    return false;
  }
  auto found = find_wait(thread, cpu, tools);
  settle_older();
  const bool has_slept = off_cpu_ >= kWorthALook;
  if (found && found->node == Recorder::kNoNode) {
    short_.saw(*found, now);
    found.reset();
  }
  if (is_asleep_) {
    // The end of one wait and the beginning of another: nobody knows more of either.
    const bool is_shared = found && !is_same_place(*found, wait_);
    const std::int64_t its_end = is_shared ? off_cpu_ / 2 : off_cpu_;
    wait_.task.end += its_end;
    asleep_ += its_end;
    off_cpu_ -= its_end;
  }
  leave_wait(recorded_as, now, tools.recorder);
  if (!found) {
    looked_for_ = off_cpu_;
    return has_slept;
  }
  is_asleep_ = true;
  wait_ = *std::move(found);
  wait_.task.begin = now - off_cpu_;
  wait_.task.end = now;
  asleep_ += std::exchange(off_cpu_, 0);
  return true;
}

void SleepWatch::end(const SampledThread& thread, std::uint32_t recorded_as, std::int64_t now,
                     Recorder& recorder) {
  const std::int64_t cpu = thread_cpu(thread.tid);
  if (cpu < 0 || !advance(thread, cpu, now)) return;
  settle_older();
  if (is_asleep_) {
    wait_.task.end += off_cpu_;
    asleep_ += std::exchange(off_cpu_, 0);
  }
  leave_wait(recorded_as, now, recorder);
}

// What the thread waited for a core is no part of the wait that came after it. As much of it was in
// MPI as of all the time without a core.
void SleepWatch::settle_core_waits() {
  const auto run_delay = task_.run_delay();
  if (!run_delay) return;
  const std::int64_t in_mpi = std::max<std::int64_t>(off_cpu_in_mpi_, 0);
  const double share =
      in_mpi == 0 ? 1 : static_cast<double>(off_cpu_) / static_cast<double>(off_cpu_ + in_mpi);
  const auto delay =
      static_cast<std::int64_t>(static_cast<double>(*run_delay - last_run_delay_) * share);
  const std::int64_t waited = std::clamp<std::int64_t>(delay, 0, off_cpu_ + short_.time());
  last_run_delay_ = *run_delay;
  off_cpu_in_mpi_ = 0;
  runnable_ += waited;
  const std::int64_t of_short = std::max<std::int64_t>(waited - off_cpu_, 0);
  short_.take_back(of_short);
  off_cpu_ -= waited - of_short;
  looked_for_ = std::max<std::int64_t>(looked_for_ - waited, 0);
}

// The thread ran since it was looked at, or still does not: either way the rest is known.
void SleepWatch::settle_older() {
  if (off_cpu_ == 0) return;
  settle_core_waits();
  short_.add(looked_for_);
  off_cpu_ -= std::exchange(looked_for_, 0);
}

std::optional<SeenWait> SleepWatch::find_mpi_wait(const MpiThread& mpi, std::uint32_t site,
                                                  const Tools& tools) {
  const auto node = tools.mpi->node(mpi, site, tools.recorder, tools.drain_codes);
  if (!node) return std::nullopt;
  return SeenWait{.node = *node, .kind = TimeKind::kMpi};
}

// A task that waits in a system call does not let its loop go on.
void SleepWatch::find_task(std::size_t depth, std::span<const std::uint32_t> codes,
                           std::uint64_t step, const Tools& tools, SeenWait& wait) {
  const auto found = tools.tasks->finder().find(tools.frames.first(depth));
  if (!found) return;
  wait.tasks = tools.tasks;
  wait.task = {.step = step, .frame = found->frame};
  for (std::size_t i = found->coroutine + 1; i-- > found->innermost;) {
    if (codes[i] == CodeTable::kShim) continue;
    wait.task.frames.push_back({codes[i], tools.frames[i].instruction});
  }
}

std::optional<SeenWait> SleepWatch::find_wait(const SampledThread& thread, std::int64_t cpu,
                                              const Tools& tools) {
  const auto state = task_.state();
  if (!state || state->is_running) return std::nullopt;
  const MpiThread* mpi = thread.mpi.load(std::memory_order_acquire);
  const auto site = mpi == nullptr ? std::nullopt : mpi->running();
  if (site) {  // whatever system call MPI waits in, it waits in MPI
    return thread_cpu(thread.tid) == cpu ? find_mpi_wait(*mpi, *site, tools) : std::nullopt;
  }
  const Wait kind = wait_of(*state, tools.symbols);
  SeenWait wait{.kind = kind.kind, .label = kind.label};
  if (!find_place(thread, cpu, state->stack_pointer, tools, wait)) {
    return SeenWait{.kind = kind.kind, .label = kind.label};
  }
  return wait;
}

bool SleepWatch::find_place(const SampledThread& thread, std::int64_t cpu,
                            std::uintptr_t stack_pointer, const Tools& tools, SeenWait& wait) {
  const std::uintptr_t thread_state = thread.thread_state.load(std::memory_order_acquire);
  const std::uintptr_t stack_high = thread.stack_high.load(std::memory_order_acquire);
  std::uint32_t node = Recorder::kNoNode;
  if (thread_state != 0 && stack_high != 0) {
    OtherThreadMemory memory;
    FrameWalker walker(memory, tools.layout, thread_state, {stack_pointer, stack_high},
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
    const std::size_t step_at = tools.tasks == nullptr ? 0 : tools.tasks->finder().step_offset();
    const char* step =
        step_at == 0 ? nullptr : memory.view(thread_state + step_at, sizeof(std::uint64_t));
    const auto step_number = step == nullptr ? 0 : load<std::uint64_t>(step);
    if (thread_cpu(thread.tid) != cpu) return false;  // it ran: what was read may be torn
    tools.drain_codes();
    if (tools.tasks != nullptr) find_task(walk.depth, codes, step_number, tools, wait);
    for (std::size_t i = walk.depth; i-- > 0;) {
      if (codes[i] == CodeTable::kShim) continue;
      if (!tools.recorder.knows_code(codes[i])) return false;
      node = tools.recorder.python_node(node, codes[i], tools.frames[i].instruction);
    }
  } else if (thread_cpu(thread.tid) != cpu) {
    return false;
  }
  wait.node = tools.recorder.label_node(node, wait.label);
  return true;
}

// It went on running, after a wait that was short if only one visit met it.
void SleepWatch::leave_wait(std::uint32_t recorded_as, std::int64_t now, Recorder& recorder) {
  write_wait(recorded_as, now, recorder);
  if (is_asleep_ && !is_long_) short_.saw(wait_, now);
  is_asleep_ = is_long_ = false;
}

void SleepWatch::write_wait(std::uint32_t recorded_as, std::int64_t now, Recorder& recorder) {
  if (asleep_ == 0) return;
  TimeValues values;
  values[TimeKind::kWall] = asleep_;
  values[wait_.kind] = asleep_;
  recorder.sample(recorded_as, now, wait_.node, values);
  if (wait_.tasks != nullptr) {
    wait_.task.thread = recorded_as;
    const auto coroutine = recorder.qualified_name(wait_.task.frames.front().code);
    wait_.tasks->add_blocked(wait_.task, coroutine, asleep_);
  }
  asleep_ = 0;
}

void SleepWatch::write(const SampledThread& thread, std::uint32_t recorded_as, std::uint32_t place,
                       std::int64_t now, Recorder& recorder, std::int64_t patience) {
  if (off_cpu_ != 0 && !thread.has_ended.load()) settle_core_waits();
  if (runnable_ != 0 && recorder.spread_runnable(recorded_as, runnable_)) runnable_ = 0;
  if (asleep_ > patience) write_wait(recorded_as, now, recorder);
  if (short_.are_due(now)) short_.write(recorded_as, place, now, recorder);
}

void SleepWatch::write_all(std::uint32_t recorded_as, std::uint32_t place, std::int64_t now,
                           Recorder& recorder) {
  constexpr std::int64_t kHardlyAny = 500'000;  // is not worth a place of its own
  short_.add(std::exchange(off_cpu_, 0));
  looked_for_ = 0;
  write_wait(recorded_as, now, recorder);
  if (short_.time() > kHardlyAny) short_.write(recorded_as, place, now, recorder);
  const std::int64_t runnable = std::exchange(runnable_, 0);
  const bool is_written = runnable == 0 || recorder.spread_runnable(recorded_as, runnable);
  if (is_written || runnable < kHardlyAny) return;
  TimeValues values;
  values[TimeKind::kWall] = values[TimeKind::kRunnable] = runnable;
  recorder.sample(recorded_as, now, recorder.label_node(place, "(waiting for a core)"), values);
}

}  // namespace pyrometer

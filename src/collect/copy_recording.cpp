#include "collect/copy_recording.h"

#include <pthread.h>

#include <utility>

#include "collect/sample_distance.h"
#include "os/clocks.h"
#include "os/loaded_modules.h"
#include "os/own_thread.h"
#include "os/task_files.h"
#include "os/thread_end.h"

namespace pyrometer {
namespace {

constexpr double kSampleBytes = 1 << 20;
constexpr std::int64_t kMostTotals = 3'000'000;  // bytes of the recording, before compression

CopyRecording* active = nullptr;  // who is told

// Of the calling thread; small, as every thread of the program has it.
struct OwnState {
  CopyThread* thread = nullptr;
  SampleDistance distance;
  bool has_begun = false;  // a thread's first copy only begins the count
  bool is_over = false;
};
thread_local OwnState own [[gnu::tls_model("initial-exec")]];

// Runs when a thread that we know ends, whoever made it.
void on_thread_end(void* thread) {
  own.thread = nullptr;
  own.is_over = true;
  static_cast<CopyThread*>(thread)->has_ended.store(true);
}

}  // namespace

CopyRecording::CopyRecording(const pyrometer_copies_table& library, const MemoryRecording& memory,
                             const FrameContext& context)
    : library_(library), memory_(memory), context_(context), pace_(monotonic_now(), kMostTotals) {
  own = {};
  pthread_setspecific(thread_end_key<&on_thread_end>(), nullptr);
  LoadedModules modules;
  modules.update();
  if (const auto here = modules.find(reinterpret_cast<std::uintptr_t>(&on_thread_end))) {
    own_begin_ = modules[*here].begin;
    own_end_ = modules[*here].end;
  }
}

void CopyRecording::start(Recorder& recorder) {
  recorder.attribute("copies.sample-bytes", fmt::format("{:.0f}", kSampleBytes));
  static constexpr pyrometer_copies_agent kAgent = {PYROMETER_COPIES_VERSION,
                                                    sizeof(pyrometer_copies_agent), &on_copy};
  active = this;
  library_.agent_came(&kAgent);
}

void CopyRecording::stop() const { library_.agent_came(nullptr); }

void CopyRecording::ignore_own_thread() { own.is_over = true; }

std::int64_t CopyRecording::on_copy(std::size_t bytes, const void* caller) {
  return active->hear_of(bytes, reinterpret_cast<std::uintptr_t>(caller));
}

std::int64_t CopyRecording::hear_of(std::size_t bytes, std::uintptr_t caller) {
  const bool is_big = bytes >= PYROMETER_BIG_COPY;
  if ((is_big || std::exchange(own.has_begun, true)) && is_programs(caller)) {
    const auto size = static_cast<double>(bytes);
    add(size, is_big ? 1 : sample_weight(size, kSampleBytes));
  }
  return is_big ? 0 : own.distance.next(kSampleBytes);
}

// Our own code may stand in a signal handler, where the program's frames are not to be trusted.
bool CopyRecording::is_programs(std::uintptr_t caller) const {
  if (caller >= own_begin_ && caller < own_end_) return false;
  if (is_paused_.load(std::memory_order_relaxed)) return false;
  // When the interpreter begins to tear down, the program is over.
  return context_.codes == nullptr || context_.symbols.is_finalizing() == 0;
}

void CopyRecording::add(double bytes, double copies) {
  CopyThread* thread = own.thread != nullptr ? own.thread : meet_thread();
  if (thread == nullptr) return;
  const std::uint32_t node = thread->places.find_site(
      context_, 0, [](std::uint32_t found) { return found; }, [] { return false; });
  thread->add(node, bytes, copies);
}

// What a thread copies while it ends is nobody's.
CopyThread* CopyRecording::meet_thread() {
  if (own.is_over) return nullptr;
  const MemoryRecording::OwnMemory ours(memory_);
  try {
    auto recorded = std::make_unique<Recorded>();
    recorded->thread = std::make_unique<CopyThread>(own_tid());
    CopyThread* thread = recorded->thread.get();
    const std::lock_guard lock(mutex_);
    threads_.push_back(std::move(recorded));
    pthread_setspecific(thread_end_key<&on_thread_end>(), thread);
    own.thread = thread;
  } catch (const std::exception&) {  // no memory: the program may still have enough
    own.is_over = true;
  }
  return own.thread;
}

void CopyRecording::meet_threads(const FindThread& find_thread) {
  const std::lock_guard lock(mutex_);
  for (const auto& recorded : threads_) {
    if (!recorded->recorded_as) recorded->recorded_as = find_thread(recorded->thread->tid);
    recorded->thread->places.tree.make_room();
  }
}

void CopyRecording::write(std::int64_t now, bool is_last, Recorder& recorder,
                          const FindThread& find_thread, const std::function<void()>& drain_codes) {
  meet_threads(find_thread);
  const std::int64_t cpu = own_thread_cpu();
  const bool is_due = pace_.is_due(now) || is_last;
  std::size_t bytes = 0;
  {
    const std::lock_guard lock(mutex_);
    std::erase_if(threads_, [&](const auto& recorded) {
      const bool has_ended = recorded->thread->has_ended.load();  // before its last totals are read
      if (!is_due && !has_ended) return false;
      const Written written = write_thread(*recorded, now, recorder, drain_codes);
      bytes += written.bytes;
      return has_ended && written.is_whole;
    });
  }
  constexpr std::int64_t kLeastPause = 500;  // in times what this took
  if (is_due) pace_.wrote(now, bytes, kLeastPause * (own_thread_cpu() - cpu));
}

CopyRecording::Written CopyRecording::write_thread(Recorded& recorded, std::int64_t now,
                                                   Recorder& recorder,
                                                   const std::function<void()>& drain_codes) {
  const CopyThread& thread = *recorded.thread;
  Written result;
  // Several nodes may be one in the recording, where code of equal content is one function.
  std::map<std::uint32_t, CopyTotals> all;
  const std::uint32_t size = thread.places.tree.size();
  for (std::uint32_t i = 0; i < size; ++i) {
    const CopyTotals totals = thread.at(i);
    if (totals.copies == 0) continue;
    auto node = recorded.nodes.find(thread.places.tree, i, recorder, drain_codes);
    result.is_whole = result.is_whole && node;
    if (!node) continue;
    if (*node == Recorder::kNoNode) node = recorder.label_node(Recorder::kNoNode, "(native code)");
    all[*node] += totals;
  }
  std::vector<std::pair<std::uint32_t, CopyTotals>> changed;
  for (const auto& [node, totals] : all) {
    CopyTotals& before = recorded.written[node];
    if (before != totals) changed.emplace_back(node, totals);
    before = totals;
  }
  if (changed.empty()) return result;
  if (!recorded.recorded_as) {
    recorded.recorded_as = recorder.add_thread({.tid = thread.tid,
                                                .thread_class = ThreadClass::kNative,
                                                .name = read_task_name(thread.tid),
                                                .start = now});
  }
  result.bytes = recorder.copy_totals(*recorded.recorded_as, now, changed);
  return result;
}

}  // namespace pyrometer

// How counted calls leave pauses out: what was counted when one began is noted, and what came until
// it ended is subtracted ever after. So calls that are under way stay where they are.
#include <utility>

#include "collect/exact_recording.h"
#include "os/clocks.h"

namespace pyrometer {

ExactRecording::Totals ExactRecording::seen(const CallPaths& paths, std::uint32_t index) {
  const CallPath& path = paths.path(index);
  return {path.calls.load(std::memory_order_relaxed), path.self.load(std::memory_order_relaxed)};
}

ExactRecording::Totals ExactRecording::counted(const KnownThread& thread,
                                               std::uint32_t index) const {
  const auto in = [&](const std::vector<Totals>& totals) {
    return index < totals.size() ? totals[index] : Totals();
  };
  const Totals now = is_paused_ ? in(thread.at_pause) : seen(thread.counter->paths, index);
  const Totals left_out = in(thread.left_out);
  return {now.calls - left_out.calls, now.self - left_out.self};
}

void ExactRecording::pause() {
  const std::lock_guard lock(mutex_);
  is_paused_ = true;
  pauses_.emplace_back(monotonic_now(), INT64_MAX);
  for (auto& thread : threads_) {
    const CallPaths& paths = thread->counter->paths;
    thread->at_pause.clear();
    for (std::uint32_t i = 0; i < paths.size(); ++i) thread->at_pause.push_back(seen(paths, i));
    if (paths.is_counting()) thread->at_pause[paths.position()->index].self += pending_of(paths);
  }
}

void ExactRecording::resume() {
  const std::lock_guard lock(mutex_);
  if (!std::exchange(is_paused_, false)) return;
  pauses_.back().second = monotonic_now();
  for (auto& thread : threads_) {
    const CallPaths& paths = thread->counter->paths;
    const std::uint32_t size = paths.size();
    thread->left_out.resize(size);
    thread->at_pause.resize(size);
    for (std::uint32_t i = 0; i < size; ++i) {
      const Totals now = seen(paths, i);
      thread->left_out[i].calls += now.calls - thread->at_pause[i].calls;
      thread->left_out[i].self += now.self - thread->at_pause[i].self;
    }
    if (paths.is_counting()) {
      thread->left_out[paths.position()->index].self += pending_of(paths);
    }
    thread->at_pause.clear();
  }
}

}  // namespace pyrometer

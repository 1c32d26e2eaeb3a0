#include "collect/short_waits.h"

#include <algorithm>
#include <utility>

namespace pyrometer {

void ShortWaits::saw(const SeenWait& wait, std::int64_t now) {
  constexpr std::size_t kMostPlaces = 256;  // a second has no more looks than that
  const auto known = std::find_if(met_.begin(), met_.end(),
                                  [&](const Met& met) { return is_same_place(met.wait, wait); });
  if (known != met_.end()) {
    ++known->count;
    known->time = now;
  } else if (met_.size() < kMostPlaces) {
    met_.push_back({wait, now, 1});
  }
}

bool ShortWaits::are_due(std::int64_t now) const {
  constexpr std::int64_t kHardlyAny = 2'000'000;  // may become part of more
  constexpr std::int64_t kPatience = 900'000'000;
  return time_ > kHardlyAny && now - written_ > kPatience;
}

void ShortWaits::write(std::uint32_t thread, std::uint32_t place, std::int64_t now,
                       Recorder& recorder) {
  const bool are_met = !met_.empty();
  if (!are_met) met_ = std::exchange(met_before_, {});
  if (met_.empty()) met_.push_back({{.label = "(short waits)"}, now, 1});
  std::int64_t looks = 0;
  for (const Met& met : met_) looks += met.count;
  for (auto& [wait, time, count] : met_) {
    // Of what is left, so that the last one gets the rest.
    const auto share = static_cast<std::int64_t>(
        static_cast<double>(time_) * static_cast<double>(count) / static_cast<double>(looks));
    looks -= count;
    time_ -= share;
    TimeValues values;
    values[TimeKind::kWall] = values[wait.kind] = share;
    const bool is_known = wait.node != Recorder::kNoNode;
    if (!are_met) time = now;
    recorder.sample(thread, time, is_known ? wait.node : recorder.label_node(place, wait.label),
                    values);
    if (wait.tasks != nullptr) {
      wait.task.thread = thread;
      wait.task.begin = wait.task.end = time;
      const auto coroutine = recorder.qualified_name(wait.task.frames.front().code);
      wait.tasks->add_blocked(wait.task, coroutine, share);
    }
  }
  if (are_met) met_before_ = std::move(met_);
  met_.clear();
  written_ = now;
}

}  // namespace pyrometer

// What threads did when, in one form: samples, each of which stands for the time before it, and
// calls that were recorded one by one, whose own stretches of time are cut out.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "profile/profile.h"

namespace pyrometer {

// Times of all processes on one clock: nanoseconds since the first of them began.
class ProfileClock {
 public:
  explicit ProfileClock(const Profile& profile);

  // To be added to a time of the process.
  std::int64_t offset(ProcessId process) const { return offsets_[process.row()]; }
  std::int64_t offset(const Profile& profile, ThreadId thread) const {
    return offset(profile.threads[thread.row()].process);
  }
  std::int64_t start(const Profile& profile, ProcessId process) const {
    return profile.processes[process.row()].start - first_;
  }
  std::int64_t first() const { return first_; }  // ns since 1970
  std::int64_t end() const { return end_; }      // of the last process

 private:
  std::vector<std::int64_t> offsets_;
  std::int64_t first_ = 0;
  std::int64_t end_ = 0;
};

struct TimeTrack {
  ThreadId thread;
  std::vector<MetricId> metrics;                       // of each stretch
  std::optional<std::size_t> duration = std::nullopt;  // which of them is how long it took
  const SampleTrack* samples = nullptr;
  const CallTrack* calls = nullptr;

  std::uint64_t size() const { return samples != nullptr ? samples->size() : calls->calls.size(); }
};

// By thread. None where a profile has no times.
std::vector<TimeTrack> make_time_tracks(const Profile& profile);

// Where a metric stands among the values of a track.
std::optional<std::size_t> column_of(const TimeTrack& track, MetricId metric);
// Whether each stretch of the track counts one for the metric.
bool is_count_of_samples(const TimeTrack& track, const Metric& metric);

namespace detail {

// Calls visit(begin, end, node) for the time that each call spent in itself.
template <class Visit>
void for_each_own_stretch(std::span<const CallTrack::Call> calls, Visit visit) {
  struct Open {
    std::int64_t end = 0;
    NodeId node;
  };
  std::vector<Open> open;
  std::int64_t at = 0;
  const auto spend_until = [&](std::int64_t time) {
    while (!open.empty()) {
      const std::int64_t end = std::min(time, open.back().end);
      if (end > at) visit(at, end, open.back().node);
      at = std::max(at, end);
      if (open.back().end > time) return;
      open.pop_back();
    }
  };
  for (const CallTrack::Call& call : calls) {
    spend_until(call.start);
    at = call.start;
    open.push_back({call.start + call.duration, call.node});
  }
  if (!calls.empty()) spend_until(INT64_MAX);
}

}  // namespace detail

// visit(begin, end, node, one value per metric), in the process's own time.
template <class Visit>
void for_each_stretch(const TimeTrack& track, Visit visit) {
  if (track.samples != nullptr) {
    track.samples->for_each(
        [&](std::int64_t time, NodeId node, std::span<const std::int64_t> values) {
          visit(track.duration ? time - values[*track.duration] : time, time, node, values);
        });
    return;
  }
  detail::for_each_own_stretch(track.calls->calls,
                               [&](std::int64_t begin, std::int64_t end, NodeId node) {
                                 const std::int64_t value = end - begin;
                                 visit(begin, end, node, std::span(&value, 1));
                               });
}

}  // namespace pyrometer

#include "analyze/time_tracks.h"

#include "analyze/main_metric.h"

namespace pyrometer {
namespace {

// The earliest time that anything of each process carries.
std::vector<std::int64_t> earliest_times(const Profile& profile) {
  std::vector<std::int64_t> earliest(profile.processes.size(), INT64_MAX);
  const auto saw = [&](ProcessId process, std::int64_t time) {
    earliest[process.row()] = std::min(earliest[process.row()], time);
  };
  const auto process_of = [&](ThreadId thread) { return profile.threads[thread.row()].process; };
  for (const Thread& thread : profile.threads) {
    if (thread.start != 0) saw(thread.process, thread.start);
  }
  for (const Region& region : profile.regions) saw(process_of(region.thread), region.start);
  for (const CounterSeries& series : profile.counters) {
    for (const auto& [time, value] : series.points) saw(series.process, time);
  }
  for (const CallTrack& track : profile.calls) {
    if (!track.calls.empty()) saw(process_of(track.thread), track.calls.front().start);
  }
  return earliest;
}

std::optional<std::size_t> duration_among(const Profile& profile,
                                          const std::vector<MetricId>& metrics) {
  std::optional<std::size_t> best;
  for (std::size_t i = 0; i < metrics.size(); ++i) {
    const Metric& metric = profile.metrics[metrics[i].row()];
    if (metric.name == metric::kWall) return i;
    if (metric.unit == Unit::kNanoseconds && (!best || metric.name == metric::kCpu)) best = i;
  }
  return best;
}

}  // namespace

std::optional<std::size_t> column_of(const TimeTrack& track, MetricId metric) {
  const auto found = std::find(track.metrics.begin(), track.metrics.end(), metric);
  if (found == track.metrics.end()) return std::nullopt;
  return static_cast<std::size_t>(found - track.metrics.begin());
}

bool is_count_of_samples(const TimeTrack& track, const Metric& metric) {
  return track.samples != nullptr && metric.name == metric::kSamples;
}

ProfileClock::ProfileClock(const Profile& profile) {
  if (!profile.processes.empty()) first_ = profile.processes[0].start;
  for (const Process& process : profile.processes) first_ = std::min(first_, process.start);
  std::vector<std::int64_t> earliest;
  for (std::size_t i = 0; i < profile.processes.size(); ++i) {
    const Process& process = profile.processes[i];
    std::int64_t clock = process.clock;
    if (clock == 0) {
      if (earliest.empty()) earliest = earliest_times(profile);
      // Times beyond the duration cannot count from the start: they are of a clock that nobody
      // kept, and the first thing that happened stands for it.
      const bool is_known = earliest[i] == INT64_MAX || earliest[i] <= process.duration;
      clock = is_known ? 0 : earliest[i];
    }
    offsets_.push_back(process.start - first_ - clock);
    end_ = std::max(end_, process.start - first_ + process.duration);
  }
}

std::vector<TimeTrack> make_time_tracks(const Profile& profile) {
  std::vector<TimeTrack> tracks;
  for (const SampleTrack& samples : profile.samples) {
    tracks.push_back({.thread = samples.thread(),
                      .metrics = samples.metrics(),
                      .duration = duration_among(profile, samples.metrics()),
                      .samples = &samples});
  }
  const auto metric = main_metric(profile);
  const bool is_time =
      metric && profile.metrics[metric->row()].unit == Unit::kNanoseconds && tracks.empty();
  for (const CallTrack& calls : profile.calls) {
    if (!is_time) break;
    tracks.push_back(
        {.thread = calls.thread, .metrics = {*metric}, .duration = 0, .calls = &calls});
  }
  std::stable_sort(tracks.begin(), tracks.end(),
                   [](const TimeTrack& a, const TimeTrack& b) { return a.thread < b.thread; });
  return tracks;
}

}  // namespace pyrometer

#include "analyze/counters.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>

namespace pyrometer {
namespace {

using Key = std::pair<ProcessId, StringId>;

// What makes a time of the process one since 1970.
std::int64_t start_of(const Profile& profile, ProcessId process) {
  const Process& its = profile.processes[process.row()];
  return its.start - its.clock;
}

CounterSummary summarize(const Profile& profile, const CounterSeries& series) {
  CounterSummary summary{.process = series.process, .name = series.name, .unit = series.unit};
  summary.points = series.points.size();
  summary.first = series.points.front().second;
  summary.last = series.points.back().second;
  const auto peak =
      std::max_element(series.points.begin(), series.points.end(),
                       [](const auto& a, const auto& b) { return a.second < b.second; });
  summary.peak = {peak->second, start_of(profile, series.process) + peak->first};
  return summary;
}

// The sum over processes at each time: a process counts from its first value to its last.
std::optional<CounterPeak> peak_together(const Profile& profile) {
  struct Change {
    std::int64_t time, difference;
  };
  std::vector<Change> changes;
  std::size_t series_count = 0;
  for (const CounterSeries& series : profile.counters) {
    if (profile.text(series.name) != metric::kMemory || series.points.empty()) continue;
    ++series_count;
    const std::int64_t start = start_of(profile, series.process);
    std::int64_t value = 0;
    for (const auto& [time, next] : series.points) {
      changes.push_back({start + time, next - value});
      value = next;
    }
    changes.push_back({start + series.points.back().first + 1, -value});
  }
  if (series_count < 2) return std::nullopt;
  std::stable_sort(changes.begin(), changes.end(),
                   [](const Change& a, const Change& b) { return a.time < b.time; });
  CounterPeak peak{std::numeric_limits<std::int64_t>::min(), 0};
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < changes.size(); ++i) {
    sum += changes[i].difference;
    const bool is_last_of_time = i + 1 == changes.size() || changes[i + 1].time != changes[i].time;
    if (is_last_of_time && sum > peak.value) peak = {sum, changes[i].time};
  }
  return peak;
}

std::vector<RegionSummary> summarize_regions(const Profile& profile,
                                             const std::map<Key, const CounterSeries*>& ends) {
  std::map<Key, RegionSummary> summaries;
  for (const Region& region : profile.regions) {
    const ProcessId process = profile.threads[region.thread.row()].process;
    RegionSummary& summary = summaries[{process, region.name}];
    summary.process = process;
    summary.name = region.name;
    summary.largest = summary.calls++ == 0 ? region.value : std::max(summary.largest, region.value);
    summary.duration += region.duration;
    summary.increment += region.value;
  }
  std::vector<RegionSummary> rows;
  for (auto& [key, summary] : summaries) {
    if (const auto found = ends.find(key); found != ends.end()) {
      summary.before = found->second->points.front().second;
      summary.after = found->second->points.back().second;
    }
    rows.push_back(summary);
  }
  std::stable_sort(rows.begin(), rows.end(),
                   [](const auto& a, const auto& b) { return a.increment > b.increment; });
  return rows;
}

}  // namespace

CounterOverview make_counter_overview(const Profile& profile) {
  CounterOverview overview;
  std::set<Key> regions;
  for (const Region& region : profile.regions) {
    regions.insert({profile.threads[region.thread.row()].process, region.name});
  }
  std::map<Key, const CounterSeries*> ends;
  for (const CounterSeries& series : profile.counters) {
    if (series.points.empty()) continue;
    if (regions.contains({series.process, series.name})) {
      ends.emplace(Key{series.process, series.name}, &series);
    } else {
      overview.counters.push_back(summarize(profile, series));
    }
  }
  overview.regions = summarize_regions(profile, ends);
  overview.together = peak_together(profile);
  std::int64_t end = 0;
  for (std::size_t i = 0; i < profile.processes.size(); ++i) {
    const Process& process = profile.processes[i];
    overview.begin = i == 0 ? process.start : std::min(overview.begin, process.start);
    end = std::max(end, process.start + process.duration);
  }
  overview.duration = end - overview.begin;
  return overview;
}

}  // namespace pyrometer

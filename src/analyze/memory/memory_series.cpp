#include "analyze/memory/memory_series.h"

#include <algorithm>
#include <string_view>

#include "analyze/memory/memory_clock.h"

namespace pyrometer {
namespace {

std::optional<MemorySeries::Kind> kind_of(const Profile& profile, const CounterSeries& counter) {
  if (counter.unit != Unit::kBytes) return std::nullopt;
  const std::string_view name = profile.text(counter.name);
  if (name == counter_name::kMemory) return MemorySeries::Kind::kResident;
  if (name == counter_name::kHeap) return MemorySeries::Kind::kHeap;
  return std::nullopt;
}

}  // namespace

std::vector<MemorySeries> memory_series(const Profile& profile) {
  const MemoryClock clock(profile);
  std::vector<MemorySeries> all;
  for (const CounterSeries& counter : profile.counters) {
    const auto kind = kind_of(profile, counter);
    if (!kind || counter.points.empty()) continue;
    MemorySeries& series = all.emplace_back(MemorySeries{counter.process, *kind});
    for (const auto& [time, bytes] : counter.points) {
      series.points.emplace_back(clock.common_time(counter.process, time), bytes);
    }
    sort_by_time(series.points);
  }
  std::stable_sort(all.begin(), all.end(), [](const MemorySeries& a, const MemorySeries& b) {
    return a.process != b.process ? a.process < b.process : a.kind < b.kind;
  });
  return all;
}

const MemorySeries* find_series(const std::vector<MemorySeries>& series, ProcessId process,
                                MemorySeries::Kind kind) {
  const auto first =
      std::lower_bound(series.begin(), series.end(), process,
                       [](const MemorySeries& each, ProcessId id) { return each.process < id; });
  for (auto each = first; each != series.end() && each->process == process; ++each) {
    if (each->kind == kind) return &*each;
  }
  return nullptr;
}

MemorySeries series_together(const std::vector<MemorySeries>& series, MemorySeries::Kind kind) {
  TimedSum sum;
  for (const MemorySeries& each : series) {
    if (each.kind != kind) continue;
    TimedValues points = each.points;
    points.emplace_back(points.back().first + 1, 0);
    sum.add(std::move(points));
  }
  return {ProcessId::none(), kind, sum.take()};
}

std::optional<MemoryPeak> highest_of(const MemorySeries* series) {
  if (series == nullptr || series->points.empty()) return std::nullopt;
  const auto highest =
      std::max_element(series->points.begin(), series->points.end(),
                       [](const auto& a, const auto& b) { return a.second < b.second; });
  return MemoryPeak{highest->second, highest->first};
}

std::optional<MemoryTrend> trend_of(const MemorySeries& series) {
  const auto count = static_cast<double>(series.points.size());
  double times = 0;
  double levels = 0;
  for (const auto& [time, bytes] : series.points) {
    times += static_cast<double>(time) / 1e9;
    levels += static_cast<double>(bytes);
  }
  double squares = 0;
  double products = 0;
  for (const auto& [time, bytes] : series.points) {
    const double from_mean = static_cast<double>(time) / 1e9 - times / count;
    squares += from_mean * from_mean;
    products += from_mean * (static_cast<double>(bytes) - levels / count);
  }
  if (series.points.size() < 2 || squares <= 0) return std::nullopt;
  const double slope = products / squares;
  return MemoryTrend{levels / count - slope * times / count, slope};
}

}  // namespace pyrometer

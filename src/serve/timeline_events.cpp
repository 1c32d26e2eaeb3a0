#include "serve/timeline_events.h"

#include <algorithm>
#include <map>

#include "profile/timed_values.h"

namespace pyrometer {
namespace {

constexpr double kSecond = 1e9;
constexpr std::size_t kMostRegions = 100'000;
constexpr std::size_t kMostCounters = 256;
constexpr std::size_t kMostPoints = 4000;  // of each

// Those from `from` to `to`, with the ones just outside.
TimedValues values_within(TimedValues values, std::int64_t from, std::int64_t to) {
  sort_by_time(values);
  const auto is_earlier = [](const TimedValue& a, const TimedValue& b) {
    return a.first < b.first;
  };
  auto begin = std::lower_bound(values.begin(), values.end(), TimedValue{from, 0}, is_earlier);
  auto end = std::upper_bound(begin, values.end(), TimedValue{to, 0}, is_earlier);
  if (begin != values.begin()) --begin;
  if (end != values.end()) ++end;
  return {begin, end};
}

}  // namespace

TimelineEvents::TimelineEvents(const Profile& profile, const ProfileClock& clock,
                               const ViewScope& scope, std::int64_t from, std::int64_t to)
    : profile_(profile), clock_(clock), from_(from), to_(to) {
  find_regions(scope);
  find_counters(scope);
}

void TimelineEvents::find_regions(const ViewScope& scope) {
  std::map<StringId, std::uint32_t> names;
  for (const Region& region : profile_.regions) {
    const std::int64_t start = region.start + clock_.offset(profile_, region.thread);
    const bool is_seen = start <= to_ && start + region.duration >= from_;
    if (!is_seen || !scope.has(region.thread) || threads_.size() == kMostRegions) continue;
    const auto [name, is_new] =
        names.try_emplace(region.name, static_cast<std::uint32_t>(region_names_.size()));
    if (is_new) region_names_.push_back(profile_.text(region.name));
    threads_.push_back(region.thread.row());
    names_.push_back(name->second);
    depths_.push_back(region.depth);
    starts_.push_back(static_cast<double>(start) / kSecond);
    durations_.push_back(static_cast<double>(region.duration) / kSecond);
  }
}

// Of processes that have a thread in the scope.
void TimelineEvents::find_counters(const ViewScope& scope) {
  std::vector<bool> processes(profile_.processes.size(), scope.threads.empty());
  for (std::size_t i = 0; i < profile_.threads.size(); ++i) {
    if (scope.has(ThreadId::from_index(i))) processes[profile_.threads[i].process.row()] = true;
  }
  for (const CounterSeries& series : profile_.counters) {
    const bool is_wanted = !series.points.empty() && processes[series.process.row()];
    if (is_wanted && counters_.size() < kMostCounters) counters_.push_back(&series);
  }
}

void TimelineEvents::describe(JsonWriter& meta) const {
  meta.key("region_names").begin_array();
  for (const std::string_view name : region_names_) meta.value(name);
  meta.end_array().key("counters").begin_array();
  for (const CounterSeries* series : counters_) {
    meta.begin_object().member("name", profile_.text(series->name));
    meta.member("unit", name_of(series->unit)).member("process", series->process.row());
    meta.end_object();
  }
  meta.end_array();
}

void TimelineEvents::write(ColumnsWriter& out) const {
  out.add("region.thread", std::span<const std::uint32_t>(threads_));
  out.add("region.name", std::span<const std::uint32_t>(names_));
  out.add("region.depth", std::span<const std::uint32_t>(depths_));
  out.add("region.start", std::span<const double>(starts_));
  out.add("region.duration", std::span<const double>(durations_));
  for (std::size_t i = 0; i < counters_.size(); ++i) {
    const std::int64_t offset = clock_.offset(counters_[i]->process);
    std::vector<double> times, values;
    const TimedValues seen = values_within(counters_[i]->points, from_ - offset, to_ - offset);
    for (const auto& [time, value] : thin_out(seen, kMostPoints)) {
      times.push_back(static_cast<double>(time + offset) / kSecond);
      values.push_back(static_cast<double>(value));
    }
    const std::string name = "counter" + std::to_string(i);
    out.add(name + ".time", std::span<const double>(times));
    out.add(name + ".value", std::span<const double>(values));
  }
}

}  // namespace pyrometer

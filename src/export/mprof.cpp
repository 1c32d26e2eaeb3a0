// mprof's file: memory over time, for `mprof plot` and `mprof peak`. The first process is the
// program, the others are its children.
#include <algorithm>

#include "export/exporter.h"
#include "formats/mprof_file.h"

namespace pyrometer {
namespace {

// What makes a time of the process one since 1970.
std::int64_t start_of(const Process& process) { return process.start - process.clock; }

const CounterSeries* find_series(const Profile& profile, ProcessId process, std::string_view name) {
  const auto fits = [&](const CounterSeries& series) {
    return series.process == process && series.unit == Unit::kBytes &&
           profile.text(series.name) == name;
  };
  const auto found = std::find_if(profile.counters.begin(), profile.counters.end(), fits);
  return found == profile.counters.end() ? nullptr : &*found;
}

std::vector<MprofPoint> points_of(const CounterSeries& series, std::int64_t start) {
  std::vector<MprofPoint> points;
  for (const auto& [time, memory] : series.points) points.push_back({time + start, memory});
  return points;
}

std::int64_t value_at(const CounterSeries* series, std::int64_t time) {
  if (series == nullptr) return 0;
  const auto found = std::lower_bound(series->points.begin(), series->points.end(), time,
                                      [](const auto& point, auto at) { return point.first < at; });
  return found == series->points.end() ? 0 : found->second;
}

// One word, as the format has no quotes.
std::string as_word(std::string_view name) {
  std::string word(name);
  std::replace_if(
      word.begin(), word.end(), [](char c) { return c >= 0 && c <= ' '; }, '_');
  return word.empty() ? "_" : word;
}

std::vector<MprofCall> calls_of(const Profile& profile) {
  std::vector<MprofCall> calls;
  for (const Region& region : profile.regions) {
    const ProcessId process = profile.threads[region.thread.row()].process;
    const std::int64_t start = start_of(profile.processes[process.row()]);
    const std::string_view name = profile.text(region.name);
    const std::int64_t before = value_at(find_series(profile, process, name), region.start);
    calls.push_back({.name = as_word(name),
                     .before = {region.start + start, before},
                     .after = {region.start + start + region.duration, before + region.value},
                     .level = region.depth});
  }
  return calls;
}

std::string command_of(const Profile& profile) {
  for (const auto& [key, value] : profile.processes[0].attributes) {
    if (key == "command") return value;
  }
  return {};
}

}  // namespace

Result<std::string> export_mprof(const Overview& overview) {
  const Profile& profile = overview.profile;
  MprofFile file;
  bool has_memory = false;
  for (std::size_t i = 0; i < profile.processes.size(); ++i) {
    const ProcessId process = ProcessId::from_index(i);
    const CounterSeries* series = find_series(profile, process, metric::kMemory);
    if (series == nullptr) continue;
    has_memory = true;
    std::vector<MprofPoint> points = points_of(*series, start_of(profile.processes[i]));
    if (i == 0) {
      file.points = std::move(points);
    } else {
      file.children.push_back({i, std::move(points)});
    }
  }
  if (!has_memory) {
    return fail(ErrorCode::kUnsupported,
                "there is no memory over time in this profile, which is all that mprof's format "
                "holds; choose another --format");
  }
  file.command_line = command_of(profile);
  file.calls = calls_of(profile);
  return write_mprof(file);
}

}  // namespace pyrometer

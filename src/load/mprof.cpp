#include "load/mprof.h"

#include <algorithm>

#include "profile/builder.h"

namespace pyrometer {
namespace {

struct Span {
  std::int64_t begin = std::numeric_limits<std::int64_t>::max();
  std::int64_t end = 0;

  void add(const MprofPoint& point) {
    begin = std::min(begin, point.time);
    end = std::max(end, point.time);
  }
  void add(const std::vector<MprofPoint>& points) {
    for (const MprofPoint& point : points) add(point);
  }
};

void add_series(ProfileBuilder& builder, ProcessId process, std::string_view name,
                const std::vector<MprofPoint>& points, std::int64_t start) {
  if (points.empty()) return;
  CounterSeries series{.process = process, .name = builder.string(name), .unit = Unit::kBytes};
  for (const MprofPoint& point : points) {
    series.points.emplace_back(point.time - start, point.memory);
  }
  std::stable_sort(series.points.begin(), series.points.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  builder.profile().counters.push_back(std::move(series));
}

// What memory was at both ends of each call stays in a counter of the function's name.
void add_calls(ProfileBuilder& builder, ProcessId process, ThreadId thread, const MprofFile& file,
               std::int64_t start) {
  std::map<std::string_view, std::vector<MprofPoint>> ends;
  for (const MprofCall& call : file.calls) {
    builder.profile().regions.push_back({.thread = thread,
                                         .name = builder.string(call.name),
                                         .start = call.before.time - start,
                                         .duration = call.after.time - call.before.time,
                                         .depth = call.level,
                                         .value = call.after.memory - call.before.memory});
    auto& points = ends[call.name];
    points.push_back(call.before);
    points.push_back(call.after);
  }
  for (const auto& [name, points] : ends) add_series(builder, process, name, points, start);
}

}  // namespace

Profile load_mprof(const MprofFile& file) {
  ProfileBuilder builder;
  builder.metric({std::string(metric::kMemory), Unit::kBytes, Combine::kMax});
  Span whole;
  whole.add(file.points);
  for (const MprofChild& child : file.children) whole.add(child.points);
  for (const MprofCall& call : file.calls) {
    whole.add(call.before);
    whole.add(call.after);
  }
  Process process{.start = whole.begin, .duration = whole.end - whole.begin};
  if (!file.command_line.empty()) process.attributes.emplace_back("command", file.command_line);
  const ProcessId parent = builder.add_process(std::move(process));
  const ThreadId thread = builder.add_thread({.process = parent, .name = builder.string("main")});
  add_series(builder, parent, metric::kMemory, file.points, whole.begin);
  add_calls(builder, parent, thread, file, whole.begin);
  for (const MprofChild& child : file.children) {
    Span own;
    own.add(child.points);
    const ProcessId id = builder.add_process(
        {.pid = child.number, .start = own.begin, .duration = own.end - own.begin});
    builder.add_thread({.process = id, .name = builder.string("main")});
    add_series(builder, id, metric::kMemory, child.points, own.begin);
  }
  return builder.finish();
}

}  // namespace pyrometer

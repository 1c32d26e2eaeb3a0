// The trace event format of Chrome, which Perfetto reads as well: each call of a timeline as a
// complete event, times in microseconds since the first one.
#include <algorithm>

#include "analyze/names.h"
#include "base/json_writer.h"
#include "export/exporter.h"

namespace pyrometer {
namespace {

double microseconds(std::int64_t nanoseconds) { return static_cast<double>(nanoseconds) / 1000; }

void write_name(JsonWriter& json, std::string_view kind, const Process& process,
                std::uint64_t thread, std::string_view name) {
  json.begin_object().member("ph", "M").member("name", kind);
  json.member("pid", process.pid).member("tid", thread);
  json.key("args").begin_object().member("name", name).end_object().end_object();
}

void write_names(JsonWriter& json, const Profile& profile) {
  for (const Process& process : profile.processes) {
    std::string name = process.rank >= 0 ? fmt::format("rank {}, ", process.rank) : "";
    name += fmt::format("process {} on {}", process.pid, process.host);
    write_name(json, "process_name", process, 0, name);
  }
  for (const Thread& thread : profile.threads) {
    write_name(json, "thread_name", profile.processes[thread.process.row()], thread.tid,
               profile.text(thread.name));
  }
}

}  // namespace

Result<std::string> export_chrome(const Overview& overview) {
  const Profile& profile = overview.profile;
  if (profile.calls.empty()) {
    return fail(
        ErrorCode::kUnsupported,
        "this profile has no calls in time; record with `pyrometer run --exact --timeline`");
  }
  std::int64_t first = INT64_MAX;
  for (const CallTrack& track : profile.calls) {
    for (const CallTrack::Call& call : track.calls) first = std::min(first, call.start);
  }
  JsonWriter json;
  json.begin_object().member("displayTimeUnit", "ns").key("traceEvents").begin_array();
  write_names(json, profile);
  for (const CallTrack& track : profile.calls) {
    const Thread& thread = profile.threads[track.thread.row()];
    const Process& process = profile.processes[thread.process.row()];
    for (const CallTrack::Call& call : track.calls) {
      const Function& function = profile.function_of(call.node);
      json.begin_object().member("ph", "X").member("name", display_name(profile, function));
      json.member("cat", display_place(profile, function));
      json.member("pid", process.pid).member("tid", thread.tid);
      json.member("ts", microseconds(call.start - first));
      json.member("dur", microseconds(call.duration)).end_object();
    }
  }
  json.end_array().end_object();
  return json.take();
}

}  // namespace pyrometer

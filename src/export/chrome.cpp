// The trace event format of Chrome, which Perfetto reads as well: complete events, times in
// microseconds since the first one. Calls of a timeline are as they were; samples in time are
// joined to calls; a profile without times is laid out from left to right, and says so. Regions
// of the program are asynchronous events.
#include <algorithm>

#include "analyze/names.h"
#include "base/json_writer.h"
#include "export/exporter.h"
#include "export/stacks_in_time.h"
#include "export/thread_samples.h"
#include "export/track_numbers.h"

namespace pyrometer {
namespace {

struct Track {
  ThreadId thread;
  std::span<const CallTrack::Call> calls;
  bool is_in_time = true;
  std::vector<CallTrack::Call> own_calls = {};  // where the profile has none
};

Result<std::vector<Track>> tracks_of_samples(const Overview& overview) {
  const Profile& profile = overview.profile;
  const TreeIndex index(profile);
  std::vector<Track> tracks;
  for (std::size_t row = 0; row < profile.threads.size(); ++row) {
    const auto thread = ThreadId::from_index(row);
    const ThreadSamples samples = make_thread_samples(overview, index, thread);
    PYROMETER_TRY(std::vector<CallTrack::Call> calls, join_stacks(profile, samples));
    tracks.push_back({thread, {}, samples.is_in_time, std::move(calls)});
    tracks.back().calls = tracks.back().own_calls;  // what a vector holds moves along with it
  }
  return tracks;
}

class ChromeWriter {
 public:
  explicit ChromeWriter(const Overview& overview)
      : profile_(overview.profile),
        metric_(profile_.metrics[overview.metric.row()]),
        pids_(process_numbers(profile_)),
        tids_(thread_numbers(profile_)) {}

  std::string write(const std::vector<Track>& tracks) {
    json_.begin_object().member("displayTimeUnit", "ns");
    json_.key("otherData").begin_object().member("exporter", "pyrometer");
    json_.member("metric", metric_.name).member("unit", name_of(metric_.unit)).end_object();
    json_.key("traceEvents").begin_array();
    for (std::size_t row = 0; row < profile_.processes.size(); ++row) {
      const Process& process = profile_.processes[row];
      std::string name = process.rank >= 0 ? fmt::format("rank {}, ", process.rank) : "";
      name += process.pid == 0 ? process.source
                               : fmt::format("process {} on {}", process.pid, process.host);
      write_name("process_name", pids_[row], 0, name);
    }
    const std::int64_t first = first_start(tracks);
    for (const Track& track : tracks) write_track(track, track.is_in_time ? first : 0);
    if (first != INT64_MAX) write_regions(first);
    json_.end_array().end_object();
    return json_.take();
  }

 private:
  // Laid out tracks begin at zero.
  static std::int64_t first_start(const std::vector<Track>& tracks) {
    std::int64_t first = INT64_MAX;
    for (const Track& track : tracks) {
      if (!track.is_in_time) continue;
      for (const CallTrack::Call& call : track.calls) first = std::min(first, call.start);
    }
    return first;
  }

  // Of what is no time, one is shown as a microsecond. Calls of a timeline are times always.
  double microseconds(std::int64_t value) const {
    const bool is_time = metric_.unit == Unit::kNanoseconds || !profile_.calls.empty();
    return static_cast<double>(value) / (is_time ? 1000 : 1);
  }

  void write_name(std::string_view kind, std::uint64_t pid, std::uint64_t tid,
                  std::string_view name) {
    json_.begin_object().member("ph", "M").member("name", kind);
    json_.member("pid", pid).member("tid", tid);
    json_.key("args").begin_object().member("name", name).end_object().end_object();
  }

  void write_track(const Track& track, std::int64_t first) {
    const Thread& thread = profile_.threads[track.thread.row()];
    const std::uint64_t pid = pids_[thread.process.row()];
    const std::uint64_t tid = tids_[track.thread.row()];
    std::string name(profile_.text(thread.name));
    if (!track.is_in_time) name += " (aggregated, not in time)";
    write_name("thread_name", pid, tid, name);
    for (const CallTrack::Call& call : track.calls) {
      const Function& function = profile_.function_of(call.node);
      json_.begin_object().member("ph", "X").member("name", display_name(profile_, function));
      json_.member("cat", display_place(profile_, function));
      json_.member("pid", pid).member("tid", tid);
      json_.member("ts", microseconds(call.start - first));
      json_.member("dur", microseconds(call.duration)).end_object();
    }
  }

  // Regions of tasks that take turns do not nest: each is a pair of events with an id.
  void write_regions(std::int64_t first) {
    for (std::size_t i = 0; i < profile_.regions.size(); ++i) {
      const Region& region = profile_.regions[i];
      write_region_end("b", i, region, region.start - first);
      write_region_end("e", i, region, region.start + region.duration - first);
    }
  }

  void write_region_end(std::string_view kind, std::size_t id, const Region& region,
                        std::int64_t time) {
    const Thread& thread = profile_.threads[region.thread.row()];
    json_.begin_object().member("ph", kind).member("cat", "region").member("id", id);
    json_.member("name", profile_.text(region.name));
    json_.member("pid", pids_[thread.process.row()]).member("tid", tids_[region.thread.row()]);
    json_.member("ts", static_cast<double>(time) / 1000).end_object();
  }

  const Profile& profile_;
  const Metric& metric_;
  std::vector<std::uint64_t> pids_;  // by process
  std::vector<std::uint64_t> tids_;  // by thread
  JsonWriter json_;
};

}  // namespace

Result<std::string> export_chrome(const Overview& overview) {
  std::vector<Track> tracks;
  for (const CallTrack& track : overview.profile.calls)
    tracks.push_back({track.thread, track.calls});
  if (tracks.empty()) {
    PYROMETER_TRY(tracks, tracks_of_samples(overview));
  }
  return ChromeWriter(overview).write(tracks);
}

}  // namespace pyrometer

#include "analyze/memory/live_points.h"

#include <algorithm>

namespace pyrometer {

std::map<ProcessId, ProcessLive> live_by_process(const Profile& profile) {
  const std::vector<MemoryPlace> places = memory_places(profile);
  std::map<ProcessId, std::map<MemoryPlace, TimedSum>> sums;
  for (const LiveTrack& track : profile.live_tracks) {
    sums[profile.threads[track.thread.row()].process][places[track.node.row()]].add(track.points);
  }
  std::map<ProcessId, ProcessLive> live;
  for (auto& [process, by_place] : sums) {
    ProcessLive& its = live[process];
    for (auto& [place, sum] : by_place) {
      const TimedValues& points = its.places[place] = sum.take();
      if (!points.empty()) its.end = std::max(its.end, points.back().first);
    }
  }
  return live;
}

std::int64_t end_of(const Process& process, const ProcessLive& live) {
  return std::max(process.clock + process.duration, live.end);
}

}  // namespace pyrometer

#include "merge/bound_live.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "profile/timed_values.h"

namespace pyrometer {
namespace {

using TrackKey = std::pair<ThreadClass, NodeId>;

struct BoundedTrack {
  TrackKey key;
  TimedValues points;
  std::int64_t most = 0;
};

TimedValues sum_of(const std::map<TrackKey, TimedValues>& tracks) {
  TimedSum all;
  for (const auto& [key, points] : tracks) all.add(points);
  return all.take();
}

TimedValues values_at(const TimedValues& moments, const TimedValues& points) {
  TimedValues seen;
  std::int64_t before = 0;
  for (const auto& [time, all] : moments) {
    const std::int64_t bytes = value_at(points, time);
    if (bytes != before) seen.emplace_back(time, bytes);
    before = bytes;
  }
  return seen;
}

// What all tracks held at those moments: snapshots belong together. The largest first, so many.
std::vector<BoundedTrack> tracks_at(const TimedValues& moments, const Profile& profile,
                                    const std::map<TrackKey, TimedValues>& tracks) {
  std::vector<BoundedTrack> seen;
  for (const auto& [key, points] : tracks) {
    BoundedTrack track{key, values_at(moments, points)};
    for (const auto& [time, bytes] : track.points) track.most = std::max(track.most, bytes);
    if (track.most > 0) seen.push_back(std::move(track));
  }
  // Rows differ from file to file, content ids do not.
  const auto order = [&](const BoundedTrack& track) {
    return std::tuple(-track.most, track.key.first, profile.nodes[track.key.second.row()].id);
  };
  std::sort(seen.begin(), seen.end(),
            [&](const BoundedTrack& a, const BoundedTrack& b) { return order(a) < order(b); });
  if (seen.size() > kMostLiveTracks) seen.resize(kMostLiveTracks);
  return seen;
}

std::size_t points_of(const std::vector<BoundedTrack>& tracks) {
  std::size_t points = 0;
  for (const BoundedTrack& track : tracks) points += track.points.size();
  return points;
}

BoundedLive bound(const Profile& profile, const std::map<TrackKey, TimedValues>& tracks) {
  const TimedValues all = sum_of(tracks);
  std::vector<BoundedTrack> bounded = tracks_at(thin_out(all, kMostLiveMoments), profile, tracks);
  if (points_of(bounded) > kMostLivePoints) {
    bounded = tracks_at(thin_out(all, kFewerLiveMoments), profile, tracks);
  }
  BoundedLive live;
  std::size_t points = 0;
  for (BoundedTrack& track : bounded) {
    points += track.points.size();
    if (points > kMostLivePoints) break;
    live[static_cast<std::size_t>(track.key.first)].push_back(
        {ThreadId::none(), track.key.second, std::move(track.points)});
  }
  for (std::vector<LiveTrack>& of_class : live) {
    std::sort(of_class.begin(), of_class.end(),
              [](const LiveTrack& a, const LiveTrack& b) { return a.node < b.node; });
  }
  return live;
}

}  // namespace

std::vector<BoundedLive> bound_live(const Profile& profile) {
  std::vector<std::map<TrackKey, TimedSum>> sums(profile.processes.size());
  for (const LiveTrack& track : profile.live_tracks) {
    const Thread& thread = profile.threads[track.thread.row()];
    sums[thread.process.row()][{thread.thread_class, track.node}].add(track.points);
  }
  std::vector<BoundedLive> live;
  for (auto& process : sums) {
    std::map<TrackKey, TimedValues> tracks;
    for (auto& [key, sum] : process) tracks[key] = sum.take();
    live.push_back(tracks.empty() ? BoundedLive() : bound(profile, tracks));
  }
  return live;
}

}  // namespace pyrometer

#include "store/live_memory.h"

#include <algorithm>

namespace pyrometer {

EncodedLive encode_live(std::span<const LiveTrack> tracks) {
  std::vector<std::int64_t> moments;
  for (const LiveTrack& track : tracks) {
    for (const auto& [time, bytes] : track.points) moments.push_back(time);
  }
  std::sort(moments.begin(), moments.end());
  moments.erase(std::unique(moments.begin(), moments.end()), moments.end());
  if (moments.empty()) return {};
  std::vector<std::int64_t> columns;
  columns.reserve(moments.size() + tracks.size() * (1 + moments.size()));
  std::int64_t last = moments.front();
  for (const std::int64_t moment : moments) {
    columns.push_back(moment - last);
    last = moment;
  }
  for (const LiveTrack& track : tracks) columns.push_back(track.node.row());
  for (const LiveTrack& track : tracks) {
    auto next = track.points.begin();
    std::int64_t held = 0;
    for (const std::int64_t moment : moments) {
      const std::int64_t before = held;
      for (; next != track.points.end() && next->first <= moment; ++next) held = next->second;
      columns.push_back(held - before);
    }
  }
  return {static_cast<std::uint32_t>(moments.size()), moments.front(), encode_tile(columns)};
}

Result<std::vector<LiveTrack>> decode_live(ThreadId thread, const LiveShape& shape,
                                           std::string_view data, const Profile& profile) {
  if (shape.values() == 0 || shape.values() > kMostLiveValuesPerRow) {
    return fail(ErrorCode::kCorrupt, "live memory has {} values", shape.values());
  }
  std::vector<std::int64_t> columns(shape.moments + shape.tracks + shape.values());
  PYROMETER_TRY_VOID(decode_tile(shape.scale, shape.planes, data, columns));
  const auto steps = std::span(columns).first(shape.moments);
  const auto nodes = std::span(columns).subspan(shape.moments, shape.tracks);
  auto change = columns.begin() + shape.moments + shape.tracks;
  std::vector<std::int64_t> moments;
  auto time = static_cast<std::uint64_t>(shape.first);
  for (const std::int64_t step : steps) {
    time += static_cast<std::uint64_t>(step);
    const auto moment = static_cast<std::int64_t>(time);
    if (!moments.empty() && moment <= moments.back()) {
      return fail(ErrorCode::kCorrupt, "moments of live memory are out of order");
    }
    moments.push_back(moment);
  }
  std::vector<LiveTrack> tracks;
  for (const std::int64_t node : nodes) {
    const bool is_known = node >= 0 && static_cast<std::uint64_t>(node) < profile.nodes.size();
    if (!is_known || (!tracks.empty() && node <= std::int64_t{tracks.back().node.row()})) {
      return fail(ErrorCode::kCorrupt, "live memory is from nowhere");
    }
    LiveTrack& track = tracks.emplace_back();
    track.thread = thread;
    track.node = NodeId(static_cast<std::uint32_t>(node));
    std::int64_t held = 0;
    for (const std::int64_t moment : moments) {
      const std::int64_t more = *change++;
      held += more;
      if (more != 0) track.points.emplace_back(moment, held);
    }
  }
  return tracks;
}

}  // namespace pyrometer

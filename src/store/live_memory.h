// Live memory over time in a merged file: what the places of one thread class held at the moments
// at which any of them changed.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "profile/profile.h"
#include "store/tile.h"

namespace pyrometer {

// Of one row, by place and moment: bounds what it can ask for.
inline constexpr std::uint64_t kMostLiveValuesPerRow = 1U << 20;

struct EncodedLive {
  std::uint32_t moments = 0;
  std::int64_t first = 0;  // ns, the first of them
  Tile tile;
};

// Differences of the moments, the first of them 0; the nodes; and of each track by moment how much
// more it held than at the one before. `tracks` are in ascending order of their nodes, each once.
EncodedLive encode_live(std::span<const LiveTrack> tracks);

// What a row says of its data, none of it checked.
struct LiveShape {
  std::uint32_t tracks = 0;
  std::uint32_t moments = 0;
  std::int64_t first = 0;
  std::int64_t scale = 1;
  std::uint32_t planes = 0;

  std::uint64_t values() const { return std::uint64_t{tracks} * moments; }
};

// The mirror. Rows are checked against `profile`.
Result<std::vector<LiveTrack>> decode_live(ThreadId thread, const LiveShape& shape,
                                           std::string_view data, const Profile& profile);

}  // namespace pyrometer

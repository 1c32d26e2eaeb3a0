// What the threads of one class did over time, in bins instead of samples. Bins have the length
// of a power of two and are counted from 1970, so those of all processes line up, also where
// the lengths differ. A bin names few places, and its times are multiples of a 64th of it.
#pragma once

#include <compare>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "profile/profile.h"
#include "store/tile.h"

namespace pyrometer {

inline constexpr unsigned kUnitsPerBinBits = 6;
inline constexpr unsigned kLeastWidthBits = 23;  // 8.4 ms: little more than a sample's period
inline constexpr unsigned kMostWidthBits = 50;
inline constexpr std::uint32_t kMostUnits = 1U << 18;  // of one time: thousands of threads

struct BinnedTime {
  std::int64_t bin = 0;  // its number since 1970
  NodeId node;
  MetricId kind;            // counts for the wall and CPU time it is part of, too
  std::uint32_t units = 0;  // 64ths of a bin
  friend auto operator<=>(const BinnedTime&, const BinnedTime&) = default;
};

struct TimeBins {
  unsigned width_bits = kLeastWidthBits;  // a bin is 2^width_bits ns long
  std::vector<BinnedTime> times;          // in ascending order, bin by bin

  std::int64_t width() const { return std::int64_t{1} << width_bits; }
  // How many samples the bins become.
  std::uint64_t sample_count() const;
};

// Differences of the bins' numbers, the first from `times.front().bin`, then nodes, kinds and
// units.
Tile encode_time_bins(const TimeBins& bins);

// The mirror: `count` times, the first of them in bin `first`. Rows are checked against `profile`.
Result<TimeBins> decode_time_bins(unsigned width_bits, std::int64_t first, std::size_t count,
                                  std::int64_t scale, std::uint32_t planes, std::string_view data,
                                  const Profile& profile);

// As samples: each has a part of its bin to itself, as long as it took.
SampleTrack make_sample_track(const Profile& profile, ThreadId thread, const TimeBins& bins);

}  // namespace pyrometer

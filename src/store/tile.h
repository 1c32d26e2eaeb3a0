// Many integers in few bytes: divided by what they have in common (times are often recorded
// in microseconds), zigzagged, so that small negative values stay small, split into as many
// planes of bytes as the largest needs, and compressed. Neighbouring ranks have similar high
// bytes, which makes those planes nearly free.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"

namespace pyrometer {

struct Tile {
  std::int64_t scale = 1;    // what the values are multiples of
  std::uint32_t planes = 0;  // 1 to 8; 0 when all values are zero
  std::string data;          // zstd of plane 0 (lowest bytes), plane 1, ...
};

Tile encode_tile(std::span<const std::int64_t> values);

// Fails when the data are not exactly `values.size()` values.
Result<void> decode_tile(std::int64_t scale, std::uint32_t planes, std::string_view data,
                         std::span<std::int64_t> values);

}  // namespace pyrometer

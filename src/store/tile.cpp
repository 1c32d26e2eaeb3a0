#include "store/tile.h"

#include <algorithm>
#include <bit>

#include "base/compression.h"

namespace pyrometer {
namespace {

constexpr std::uint32_t kMaxPlanes = 8;

std::uint64_t zigzag(std::int64_t value) {
  return (static_cast<std::uint64_t>(value) << 1) ^ (value < 0 ? ~std::uint64_t{0} : 0);
}

std::int64_t unzigzag(std::uint64_t bits) {
  return static_cast<std::int64_t>((bits >> 1) ^ (~(bits & 1) + 1));
}

}  // namespace

Tile encode_tile(std::span<const std::int64_t> values) {
  std::uint64_t used_bits = 0;
  for (const std::int64_t value : values) used_bits |= zigzag(value);
  const auto planes = static_cast<std::uint32_t>((std::bit_width(used_bits) + 7) / 8);
  if (planes == 0) return {};
  std::string bytes(values.size() * planes, '\0');
  for (std::uint32_t plane = 0; plane < planes; ++plane) {
    char* out = bytes.data() + plane * values.size();
    for (const std::int64_t value : values) {
      *out++ = static_cast<char>(zigzag(value) >> (8 * plane));
    }
  }
  return {planes, compress(bytes)};
}

Result<void> decode_tile(std::uint32_t planes, std::string_view data,
                         std::span<std::int64_t> values) {
  if (planes == 0 || planes > kMaxPlanes) {
    return fail(ErrorCode::kCorrupt, "a tile has {} planes of bytes", planes);
  }
  PYROMETER_TRY(const std::string bytes, decompress(data, values.size() * planes));
  std::fill(values.begin(), values.end(), 0);
  for (std::uint32_t plane = 0; plane < planes; ++plane) {
    const char* in = bytes.data() + plane * values.size();
    for (std::int64_t& value : values) {
      const std::uint64_t byte = static_cast<unsigned char>(*in++);
      value = static_cast<std::int64_t>(static_cast<std::uint64_t>(value) | byte << (8 * plane));
    }
  }
  for (std::int64_t& value : values) value = unzigzag(static_cast<std::uint64_t>(value));
  return {};
}

}  // namespace pyrometer

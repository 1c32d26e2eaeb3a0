#include "store/tile.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <vector>

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

// The largest number that divides all values; 1 when all are zero.
std::int64_t common_divisor(std::span<const std::int64_t> values) {
  std::uint64_t divisor = 0;
  for (const std::int64_t value : values) {
    const auto bits = static_cast<std::uint64_t>(value);
    const std::uint64_t magnitude = value < 0 ? 0 - bits : bits;
    if (divisor == 0 || magnitude % divisor != 0) divisor = std::gcd(divisor, magnitude);
    if (divisor == 1) break;
  }
  const auto scale = static_cast<std::int64_t>(divisor);
  return scale > 0 ? scale : 1;  // 2^63 has no positive counterpart
}

}  // namespace

Tile encode_tile(std::span<const std::int64_t> values) {
  const std::int64_t scale = common_divisor(values);
  std::vector<std::uint64_t> small(values.size());
  std::uint64_t used_bits = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    small[i] = zigzag(values[i] / scale);
    used_bits |= small[i];
  }
  const auto planes = static_cast<std::uint32_t>((std::bit_width(used_bits) + 7) / 8);
  if (planes == 0) return {};
  std::string bytes(values.size() * planes, '\0');
  for (std::uint32_t plane = 0; plane < planes; ++plane) {
    char* out = bytes.data() + plane * values.size();
    for (const std::uint64_t value : small) *out++ = static_cast<char>(value >> (8 * plane));
  }
  return {scale, planes, compress(bytes)};
}

Result<void> decode_tile(std::int64_t scale, std::uint32_t planes, std::string_view data,
                         std::span<std::int64_t> values) {
  if (scale <= 0 || planes == 0 || planes > kMaxPlanes) {
    return fail(ErrorCode::kCorrupt, "a tile has {} planes of multiples of {}", planes, scale);
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
  for (std::int64_t& value : values) {
    // Wraps on hostile input instead of being undefined.
    value = static_cast<std::int64_t>(
        static_cast<std::uint64_t>(unzigzag(static_cast<std::uint64_t>(value))) *
        static_cast<std::uint64_t>(scale));
  }
  return {};
}

}  // namespace pyrometer

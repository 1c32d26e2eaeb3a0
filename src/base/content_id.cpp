#include "base/content_id.h"

#include <fmt/format.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace pyrometer {

std::string ContentId::to_string() const { return fmt::format("{:016x}{:016x}", high, low); }

std::string ContentId::to_bytes() const {
  std::string bytes;
  for (const std::uint64_t half : {high, low}) {
    for (int shift = 56; shift >= 0; shift -= 8) bytes += static_cast<char>(half >> shift);
  }
  return bytes;
}

ContentId content_id(std::string_view bytes) {
  const XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
  return {hash.high64, hash.low64};
}

}  // namespace pyrometer

// A 128-bit hash that identifies a thing by what it is, not by when it was seen:
// equal in every process, run and machine. Collisions are treated as impossible
// (2^64 distinct things would be needed to expect one).
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace pyrometer {

struct ContentId {
  std::uint64_t high = 0;
  std::uint64_t low = 0;
  friend constexpr auto operator<=>(const ContentId&, const ContentId&) = default;

  // 32 hexadecimal digits.
  std::string to_string() const;
  // The same as 16 bytes.
  std::string to_bytes() const;
};

ContentId content_id(std::string_view bytes);

}  // namespace pyrometer

template <>
struct std::hash<pyrometer::ContentId> {
  std::size_t operator()(const pyrometer::ContentId& id) const noexcept {
    return static_cast<std::size_t>(id.low);
  }
};

#include "formats/marshal_text.h"

#include <cstddef>
#include <cstdint>

namespace pyrometer {
namespace {

// How many bytes the code point at the front takes; zero if it is malformed.
std::size_t front_size(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(text[i]); };
  const std::uint8_t first = byte(0);
  if (first < 0x80) return 1;
  if (first < 0xc2 || first > 0xf4) return 0;
  const std::size_t size = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (text.size() < size) return 0;
  for (std::size_t i = 1; i < size; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return 0;
  }
  const bool overlong = (first == 0xe0 && byte(1) < 0xa0) || (first == 0xf0 && byte(1) < 0x90);
  const bool beyond_unicode = first == 0xf4 && byte(1) > 0x8f;
  return overlong || beyond_unicode ? 0 : size;
}

}  // namespace

bool is_marshal_text(std::string_view text) {
  while (!text.empty()) {
    const std::size_t size = front_size(text);
    if (size == 0) return false;
    text.remove_prefix(size);
  }
  return true;
}

std::string to_marshal_text(std::string_view text) {
  std::string valid;
  valid.reserve(text.size());
  while (!text.empty()) {
    const std::size_t size = front_size(text);
    valid += size == 0 ? std::string_view("\xef\xbf\xbd") : text.substr(0, size);
    text.remove_prefix(size == 0 ? 1 : size);
  }
  return valid;
}

}  // namespace pyrometer

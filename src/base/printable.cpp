#include "base/printable.h"

#include <fmt/format.h>

#include <array>
#include <cstdint>

namespace pyrometer {
namespace {

struct Decoded {
  std::uint32_t code_point;
  std::size_t size;
  bool valid;
};

// The code point at the front of a text that is not empty.
Decoded decode_front(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(text[i]); };
  const std::uint8_t first = byte(0);
  if (first < 0x80) return {first, 1, true};
  const std::size_t size = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || text.size() < size) return {first, 1, false};
  std::uint32_t code_point = first & (0xffU >> (size + 1));
  for (std::size_t i = 1; i < size; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return {first, 1, false};
    code_point = (code_point << 6) | (byte(i) & 0x3fU);
  }
  constexpr std::array<std::uint32_t, 5> kSmallest{0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = code_point >= 0xd800 && code_point <= 0xdfff;
  if (code_point < kSmallest[size] || code_point > 0x10ffff || surrogate) return {first, 1, false};
  return {code_point, size, true};
}

// Calls visit(decoded, the bytes it came from) for each code point or bad byte.
template <class Visit>
void for_each_code_point(std::string_view text, Visit visit) {
  while (!text.empty()) {
    const Decoded decoded = decode_front(text);
    visit(decoded, text.substr(0, decoded.size));
    text.remove_prefix(decoded.size);
  }
}

bool is_dangerous(std::uint32_t c) {
  return c < 0x20 || (c >= 0x7f && c < 0xa0) ||  // C0, DEL, C1
         (c >= 0x200b && c <= 0x200f) ||         // zero width, direction marks
         (c >= 0x2028 && c <= 0x202e) ||         // separators, direction overrides
         (c >= 0x2060 && c <= 0x206f) ||         // invisible operators, isolates
         c == 0x061c || c == 0xfeff || (c >= 0xe0000 && c <= 0xe0fff);
}

bool is_wide(std::uint32_t c) {
  return (c >= 0x1100 && c <= 0x115f) || (c >= 0x2e80 && c <= 0xa4cf) ||
         (c >= 0xac00 && c <= 0xd7a3) || (c >= 0xf900 && c <= 0xfaff) ||
         (c >= 0xfe30 && c <= 0xfe6f) || (c >= 0xff00 && c <= 0xff60) ||
         (c >= 0xffe0 && c <= 0xffe6) || (c >= 0x1f300 && c <= 0x1faff) ||
         (c >= 0x20000 && c <= 0x3fffd);
}

bool is_combining(std::uint32_t c) {
  return (c >= 0x0300 && c <= 0x036f) || (c >= 0x1ab0 && c <= 0x1aff) ||
         (c >= 0x20d0 && c <= 0x20ff) || (c >= 0xfe00 && c <= 0xfe0f);
}

std::size_t width_of(std::uint32_t c) { return is_combining(c) ? 0 : is_wide(c) ? 2 : 1; }

}  // namespace

std::string printable(std::string_view text) {
  std::string safe;
  safe.reserve(text.size());
  for_each_code_point(text, [&](const Decoded& decoded, std::string_view bytes) {
    if (decoded.valid && !is_dangerous(decoded.code_point)) {
      safe += bytes;
    } else if (decoded.code_point < 0x100) {
      safe += fmt::format("\\x{:02x}", decoded.code_point);
    } else {
      safe += fmt::format("\\u{:04x}", decoded.code_point);
    }
  });
  return safe;
}

std::string valid_utf8(std::string_view text) {
  std::string valid;
  valid.reserve(text.size());
  for_each_code_point(text, [&](const Decoded& decoded, std::string_view bytes) {
    valid += decoded.valid ? bytes : std::string_view("\xef\xbf\xbd");
  });
  return valid;
}

std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  for_each_code_point(text,
                      [&](const Decoded& d, std::string_view) { width += width_of(d.code_point); });
  return width;
}

std::string shorten_front(std::string_view text, std::size_t width) {
  std::size_t total = display_width(text);
  if (total <= width) return std::string(text);
  while (!text.empty() && total + 1 > width) {
    const Decoded decoded = decode_front(text);
    total -= width_of(decoded.code_point);
    text.remove_prefix(decoded.size);
  }
  return "…" + std::string(text);
}

std::string shorten_back(std::string_view text, std::size_t width) {
  if (display_width(text) <= width) return std::string(text);
  std::string kept;
  std::size_t total = 1;  // of the mark
  while (!text.empty()) {
    const Decoded decoded = decode_front(text);
    total += width_of(decoded.code_point);
    if (total > width) break;
    kept += text.substr(0, decoded.size);
    text.remove_prefix(decoded.size);
  }
  return kept + "…";
}

}  // namespace pyrometer

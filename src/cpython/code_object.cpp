#include "cpython/code_object.h"

namespace pyrometer {
namespace {

void append_utf8(std::string& out, std::uint32_t character) {
  constexpr std::uint32_t kReplacement = 0xfffd;
  if ((character >= 0xd800 && character <= 0xdfff) || character > 0x10ffff) {
    character = kReplacement;
  }
  const auto tail = [&](unsigned shift) {
    out.push_back(static_cast<char>(0x80U | ((character >> shift) & 0x3fU)));
  };
  if (character < 0x80) {
    out.push_back(static_cast<char>(character));
  } else if (character < 0x800) {
    out.push_back(static_cast<char>(0xc0U | (character >> 6U)));
    tail(0);
  } else if (character < 0x10000) {
    out.push_back(static_cast<char>(0xe0U | (character >> 12U)));
    tail(6);
    tail(0);
  } else {
    out.push_back(static_cast<char>(0xf0U | (character >> 18U)));
    tail(12);
    tail(6);
    tail(0);
  }
}

}  // namespace

std::string text_to_utf8(std::string_view characters, std::uint8_t character_width) {
  std::string out;
  out.reserve(characters.size());
  for (std::size_t i = 0; i + character_width <= characters.size(); i += character_width) {
    std::uint32_t character = 0;
    std::memcpy(&character, characters.data() + i, character_width);  // little-endian
    append_utf8(out, character);
  }
  return out;
}

}  // namespace pyrometer

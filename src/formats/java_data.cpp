#include "formats/java_data.h"

#include <bit>

#include "base/printable.h"

namespace pyrometer {
namespace {

constexpr std::size_t kLongestText = 0xffff;

// Java has no characters beyond 16 bits: what UTF-8 writes in four bytes is two halves of three
// bytes there, and a zero takes two bytes.
void append_half(std::string& out, std::uint32_t half) {
  out += static_cast<char>(0xe0U | (half >> 12U));
  out += static_cast<char>(0x80U | ((half >> 6U) & 0x3fU));
  out += static_cast<char>(0x80U | (half & 0x3fU));
}

std::string to_java(std::string_view text) {
  std::string java;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (byte == 0) {
      java += "\xc0\x80";
    } else if (byte >= 0xf0 && i + 3 < text.size()) {
      const auto low = [&](std::size_t at) { return static_cast<std::uint32_t>(text[at]) & 0x3fU; };
      const std::uint32_t code =
          ((byte & 0x07U) << 18U) | (low(i + 1) << 12U) | (low(i + 2) << 6U) | low(i + 3);
      append_half(java, 0xd800U + ((code - 0x10000U) >> 10U));
      append_half(java, 0xdc00U + ((code - 0x10000U) & 0x3ffU));
      i += 3;
    } else {
      java += text[i];
    }
  }
  return java;
}

// The code of a half at `at`, or 0.
std::uint32_t half_at(std::string_view java, std::size_t at) {
  if (at + 3 > java.size() || static_cast<unsigned char>(java[at]) != 0xed) return 0;
  const auto low = [&](std::size_t i) { return static_cast<std::uint32_t>(java[i]) & 0x3fU; };
  return 0xd000U | (low(at + 1) << 6U) | low(at + 2);
}

std::string from_java(std::string_view java) {
  std::string text;
  for (std::size_t i = 0; i < java.size(); ++i) {
    const std::uint32_t high = half_at(java, i);
    const std::uint32_t low = half_at(java, i + 3);
    if (high >= 0xd800U && high < 0xdc00U && low >= 0xdc00U) {
      const std::uint32_t code = 0x10000U + ((high - 0xd800U) << 10U) + (low - 0xdc00U);
      text += static_cast<char>(0xf0U | (code >> 18U));
      text += static_cast<char>(0x80U | ((code >> 12U) & 0x3fU));
      text += static_cast<char>(0x80U | ((code >> 6U) & 0x3fU));
      text += static_cast<char>(0x80U | (code & 0x3fU));
      i += 5;
    } else if (java.substr(i).starts_with("\xc0\x80")) {
      text += '\0';
      ++i;
    } else {
      text += java[i];
    }
  }
  return text;
}

}  // namespace

std::string_view JavaDataReader::bytes(std::size_t size) {
  if (size > rest_.size()) {
    failed_ = true;
    rest_ = {};
    return {};
  }
  const std::string_view view = rest_.substr(0, size);
  rest_.remove_prefix(size);
  return view;
}

std::uint64_t JavaDataReader::number(std::size_t size) {
  std::uint64_t value = 0;
  for (const char byte : bytes(size)) value = (value << 8U) | static_cast<unsigned char>(byte);
  return value;
}

double JavaDataReader::f64() { return std::bit_cast<double>(number(8)); }

std::string JavaDataReader::text() {
  const auto size = static_cast<std::size_t>(number(2));
  return from_java(bytes(size));
}

void JavaDataReader::skip(std::int64_t size) {
  if (size < 0)
    failed_ = true;
  else
    bytes(static_cast<std::size_t>(size));
}

std::uint32_t JavaDataReader::count(std::size_t least_size) {
  const std::int32_t claimed = i32();
  if (claimed < 0 || static_cast<std::size_t>(claimed) > rest_.size() / least_size) failed_ = true;
  return ok() ? static_cast<std::uint32_t>(claimed) : 0;
}

void JavaDataWriter::number(std::uint64_t value, std::size_t size) {
  for (std::size_t i = size; i-- > 0;) bytes_ += static_cast<char>(value >> (8 * i));
}

void JavaDataWriter::character(char value) { number(static_cast<unsigned char>(value), 2); }

void JavaDataWriter::f64(double value) { number(std::bit_cast<std::uint64_t>(value), 8); }

bool JavaDataWriter::text(std::string_view value) {
  const std::string java = to_java(valid_utf8(value));
  if (java.size() > kLongestText) return false;
  number(java.size(), 2);
  bytes_ += java;
  return true;
}

}  // namespace pyrometer

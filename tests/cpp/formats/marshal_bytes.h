// Builds marshalled values by hand, byte for byte as CPython's `marshal.dumps` does.
#pragma once

#include <bit>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

#include "base/byte_writer.h"

namespace pyrometer::marshal_bytes {

inline std::string with_u32(char type, std::uint32_t number, std::string_view rest = {}) {
  ByteWriter out;
  out.u8(static_cast<std::uint8_t>(type));
  out.u32(number);
  out.raw(rest);
  return out.take();
}

inline std::string integer(std::int32_t value) {
  return with_u32('i', static_cast<std::uint32_t>(value));
}

inline std::string real(double value) {
  ByteWriter out;
  out.u8('g');
  out.u64(std::bit_cast<std::uint64_t>(value));
  return out.take();
}

inline std::string text(std::string_view value) {
  return with_u32('u', static_cast<std::uint32_t>(value.size()), value);
}

inline std::string reference(std::uint32_t number) { return with_u32('r', number); }

// The value with the flag that numbers it for reference().
inline std::string flagged(std::string value) {
  value[0] = static_cast<char>(value[0] | 0x80);
  return value;
}

inline std::string joined(std::initializer_list<std::string> parts) {
  std::string whole;
  for (const std::string& part : parts) whole += part;
  return whole;
}

inline std::string tuple(std::initializer_list<std::string> elements) {
  return with_u32('(', static_cast<std::uint32_t>(elements.size()), joined(elements));
}

inline std::string dict(std::initializer_list<std::string> keys_and_values) {
  return "{" + joined(keys_and_values) + "0";
}

inline std::string label(std::string_view file, std::int32_t line, std::string_view name) {
  return tuple({text(file), integer(line), text(name)});
}

// cProfile's order: primitive calls, calls, self, total, callers.
inline std::string statistics(std::int32_t primitive, std::int32_t calls, double self, double total,
                              const std::string& callers = "{0") {
  return tuple({integer(primitive), integer(calls), real(self), real(total), callers});
}

inline std::string from_hex(std::string_view digits) {
  std::string bytes;
  for (std::size_t i = 0; i + 1 < digits.size(); i += 2) {
    bytes.push_back(static_cast<char>(std::stoi(std::string(digits.substr(i, 2)), nullptr, 16)));
  }
  return bytes;
}

}  // namespace pyrometer::marshal_bytes

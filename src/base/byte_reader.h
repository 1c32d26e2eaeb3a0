// Decodes little-endian and LEB128 fields from bytes that may be cut or hostile.
// Invariant: a read past the end yields zero and marks the reader failed for good,
// so a decoder reads all its fields and asks ok() once.
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

namespace pyrometer {

class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes)
      : position_(bytes.data()), end_(bytes.data() + bytes.size()) {}

  bool ok() const { return !failed_; }
  std::size_t remaining() const { return static_cast<std::size_t>(end_ - position_); }
  // Everything was read, and nothing beyond it.
  bool done() const { return ok() && remaining() == 0; }
  void set_failed() {
    failed_ = true;
    position_ = end_;
  }

  std::uint8_t u8() { return fixed<std::uint8_t>(); }
  std::uint16_t u16() { return fixed<std::uint16_t>(); }
  std::uint32_t u32() { return fixed<std::uint32_t>(); }
  std::uint64_t u64() { return fixed<std::uint64_t>(); }

  std::uint64_t varint() {
    if (position_ != end_ && (*position_ & 0x80) == 0)
      return static_cast<std::uint8_t>(*position_++);
    return long_varint();
  }
  // A varint that must fit 32 bits.
  std::uint32_t varint32() {
    const std::uint64_t value = varint();
    if (value > 0xffffffffU) set_failed();
    return ok() ? static_cast<std::uint32_t>(value) : 0;
  }
  std::int64_t signed_varint() {
    const std::uint64_t zigzag = varint();
    return static_cast<std::int64_t>((zigzag >> 1) ^ (~(zigzag & 1) + 1));
  }

  std::string_view bytes(std::uint64_t count) {
    if (count > remaining()) {
      set_failed();
      return {};
    }
    const std::string_view view(position_, static_cast<std::size_t>(count));
    position_ += count;
    return view;
  }
  std::string_view sized_bytes() { return bytes(varint()); }
  std::string_view rest() { return bytes(remaining()); }

  // A claimed number of elements, each at least `least_size` bytes: refused when the
  // remaining bytes cannot hold them, so that a tiny file cannot claim gigabytes.
  std::uint64_t count(std::size_t least_size) {
    const std::uint64_t claimed = varint();
    if (claimed > remaining() / least_size) set_failed();
    return ok() ? claimed : 0;
  }

 private:
  template <class T>
  T fixed() {
    const std::string_view view = bytes(sizeof(T));
    T value = 0;
    if (ok()) {
      for (std::size_t i = sizeof(T); i-- > 0;) {
        value = static_cast<T>((static_cast<std::uint64_t>(value) << 8) |
                               static_cast<std::uint8_t>(view[i]));
      }
    }
    return value;
  }

  std::uint64_t long_varint() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64 && position_ != end_; shift += 7) {
      const auto byte = static_cast<std::uint8_t>(*position_++);
      if (shift == 63 && byte > 1) break;
      value |= static_cast<std::uint64_t>(byte & 0x7fU) << shift;
      if ((byte & 0x80U) == 0) return value;
    }
    set_failed();
    return 0;
  }

  const char* position_;
  const char* end_;
  bool failed_ = false;
};

}  // namespace pyrometer

// Encodes little-endian and LEB128 fields: the mirror of ByteReader.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace pyrometer {

class ByteWriter {
 public:
  const std::string& bytes() const { return bytes_; }
  std::string take() { return std::move(bytes_); }
  std::size_t size() const { return bytes_.size(); }
  void clear() { bytes_.clear(); }

  void u8(std::uint8_t value) { bytes_.push_back(static_cast<char>(value)); }
  void u16(std::uint16_t value) { fixed(value); }
  void u32(std::uint32_t value) { fixed(value); }
  void u64(std::uint64_t value) { fixed(value); }

  void varint(std::uint64_t value) {
    while (value >= 0x80) {
      u8(static_cast<std::uint8_t>(value | 0x80U));
      value >>= 7;
    }
    u8(static_cast<std::uint8_t>(value));
  }
  void signed_varint(std::int64_t value) {
    const auto bits = static_cast<std::uint64_t>(value);
    varint((bits << 1) ^ (value < 0 ? ~std::uint64_t{0} : 0));
  }
  void raw(std::string_view bytes) { bytes_.append(bytes); }
  void sized_bytes(std::string_view bytes) {
    varint(bytes.size());
    raw(bytes);
  }

 private:
  template <class T>
  void fixed(T value) {
    for (std::size_t i = 0; i < sizeof(T); ++i) {
      u8(static_cast<std::uint8_t>(static_cast<std::uint64_t>(value) >> (8 * i)));
    }
  }

  std::string bytes_;
};

}  // namespace pyrometer

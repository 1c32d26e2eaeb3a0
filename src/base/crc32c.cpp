#include "base/crc32c.h"

#include <array>
#include <cstddef>

namespace pyrometer {
namespace {

constexpr std::uint32_t kReflectedPolynomial = 0x82f63b78;

// tables[k][b] is the checksum of byte b followed by k zero bytes, so that eight
// bytes are folded in with eight independent look-ups.
using Tables = std::array<std::array<std::uint32_t, 256>, 8>;

constexpr Tables make_tables() {
  Tables tables{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t crc = byte;
    for (int bit = 0; bit < 8; ++bit)
      crc = (crc >> 1) ^ ((crc & 1) != 0 ? kReflectedPolynomial : 0);
    tables[0][byte] = crc;
  }
  for (std::size_t k = 1; k < 8; ++k) {
    for (std::size_t byte = 0; byte < 256; ++byte) {
      const std::uint32_t shorter = tables[k - 1][byte];
      tables[k][byte] = (shorter >> 8) ^ tables[0][shorter & 0xff];
    }
  }
  return tables;
}

constexpr Tables kTables = make_tables();

std::uint32_t little_endian(const char* bytes) {
  std::uint32_t value = 0;
  for (int i = 3; i >= 0; --i) value = (value << 8) | static_cast<std::uint8_t>(bytes[i]);
  return value;
}

}  // namespace

std::uint32_t crc32c(std::string_view bytes, std::uint32_t previous) {
  std::uint32_t crc = ~previous;
  while (bytes.size() >= 8) {
    const std::uint32_t low = crc ^ little_endian(bytes.data());
    const std::uint32_t high = little_endian(bytes.data() + 4);
    crc = kTables[7][low & 0xff] ^ kTables[6][(low >> 8) & 0xff] ^ kTables[5][(low >> 16) & 0xff] ^
          kTables[4][low >> 24] ^ kTables[3][high & 0xff] ^ kTables[2][(high >> 8) & 0xff] ^
          kTables[1][(high >> 16) & 0xff] ^ kTables[0][high >> 24];
    bytes.remove_prefix(8);
  }
  for (const char byte : bytes) {
    crc = (crc >> 8) ^ kTables[0][(crc ^ static_cast<std::uint8_t>(byte)) & 0xff];
  }
  return ~crc;
}

}  // namespace pyrometer

// CRC-32C (Castagnoli), the checksum of iSCSI, ext4 and of every recording frame.
#pragma once

#include <cstdint>
#include <string_view>

namespace pyrometer {

// The checksum of `bytes`, continuing from the checksum of what came before them.
std::uint32_t crc32c(std::string_view bytes, std::uint32_t previous = 0);

}  // namespace pyrometer

// Tells the library before malloc which blocks may be among those it told of: a bit for each slot,
// and how many blocks it stands for. Few bytes, as every free of the program looks at them.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <limits>

#include "os/memory_table.h"

namespace pyrometer {

// Its owner sees to it that only one thread at a time changes it.
class BlockFilter {
 public:
  // `holds_all`: every block is told of, and so is the end of every block.
  BlockFilter(std::uint8_t* bits, bool holds_all) : bits_(bits) {
    if (holds_all) counts_.fill(kMany);
    std::memset(bits, holds_all ? 0xff : 0, PYROMETER_BLOCK_FILTER_BYTES);
  }

  // For a while the end of every block is told of, whoever knows the block.
  void pass_all(bool does) {
    passes_all_ = does;
    for (std::uint32_t byte = 0; byte < PYROMETER_BLOCK_FILTER_BYTES; ++byte) {
      std::uint8_t bits = 0;
      for (std::uint32_t slot = 8 * byte; slot < 8 * (byte + 1); ++slot) {
        if (does || counts_[slot] != 0) bits |= bit(slot);
      }
      __atomic_store_n(&bits_[byte], bits, __ATOMIC_RELAXED);
    }
  }

  void add(const void* block) {
    const std::uint32_t slot = pyrometer_block_slot(block);
    if (counts_[slot] == kMany) return;
    if (counts_[slot]++ == 0) __atomic_fetch_or(&bits_[slot / 8], bit(slot), __ATOMIC_RELAXED);
  }
  void remove(const void* block) {
    const std::uint32_t slot = pyrometer_block_slot(block);
    if (counts_[slot] == kMany || counts_[slot] == 0) return;
    if (--counts_[slot] == 0 && !passes_all_) {
      __atomic_fetch_and(&bits_[slot / 8], static_cast<std::uint8_t>(~bit(slot)), __ATOMIC_RELAXED);
    }
  }

 private:
  static constexpr std::uint8_t kMany = std::numeric_limits<std::uint8_t>::max();  // stays so
  static std::uint8_t bit(std::uint32_t slot) { return static_cast<std::uint8_t>(1U << slot % 8); }

  std::uint8_t* const bits_;
  bool passes_all_ = false;
  std::array<std::uint8_t, 8 * PYROMETER_BLOCK_FILTER_BYTES> counts_{};
};

}  // namespace pyrometer

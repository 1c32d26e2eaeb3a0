// The blocks that were told of, by address. Few of them: a hash table. All of them: a shadow of the
// memory they lie in, eight bytes for every sixteen, so that looking one up costs hardly more than
// the block's own memory did.
#pragma once

#include <array>
#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <memory>
#include <optional>

#include "os/pages.h"

namespace pyrometer {

class BlockTable {
 public:
  struct Block {
    std::uint64_t size = 0;
    std::uint32_t site = 0;
    std::uint32_t born = 0;  // by a clock that its owner knows
  };

  static constexpr unsigned kBornBits = 22;
  static constexpr std::uint32_t kLatestBirth = (1U << kBornBits) - 1;

  explicit BlockTable(bool holds_all) : holds_all_(holds_all) {}

  // What was there before, if anything: it went without a word.
  std::optional<Block> put(std::uintptr_t address, const Block& block);
  std::optional<Block> take(std::uintptr_t address);

  // All of at least kLarge bytes, among others.
  static constexpr unsigned kSizeBits = 20;
  static constexpr std::size_t kLarge = std::size_t{1} << kSizeBits;
  template <class Visit>
  void visit_large(Visit&& visit) const {
    for (const auto& [address, block] : blocks_) visit(address, block);
  }

 private:
  // A block in the shadow is one number, never 0. What does not fit is in the hash table.
  static constexpr unsigned kSiteBits = 22;
  static constexpr unsigned kRegionBits = 20, kAlignmentBits = 4;
  struct Region {
    std::uintptr_t number = 0;  // address >> kRegionBits
    Pages shadow{(std::size_t{1} << (kRegionBits - kAlignmentBits)) * sizeof(std::uint64_t)};
    std::unique_ptr<Region> next;
  };

  static bool is_aligned(std::uintptr_t address);
  bool fits(std::uintptr_t address, const Block& block) const;
  std::uint64_t* shadow_of(std::uintptr_t address, bool may_make);
  std::optional<Block> take_hashed(std::uintptr_t address);

  const bool holds_all_;
  boost::unordered_flat_map<std::uintptr_t, Block> blocks_;
  std::array<std::unique_ptr<Region>, 1U << 12> regions_;
};

}  // namespace pyrometer

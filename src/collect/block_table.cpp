#include "collect/block_table.h"

#include <utility>

namespace pyrometer {
namespace {

constexpr unsigned kSizeBits = BlockTable::kSizeBits, kBornBits = BlockTable::kBornBits;

constexpr std::uint64_t low_bits(unsigned count) { return (std::uint64_t{1} << count) - 1; }

std::uint64_t packed(const BlockTable::Block& block) {
  return ((std::uint64_t{block.site} + 1) << (kSizeBits + kBornBits)) | (block.size << kBornBits) |
         (block.born & low_bits(kBornBits));
}

BlockTable::Block unpacked(std::uint64_t slot) {
  return {.size = (slot >> kBornBits) & low_bits(kSizeBits),
          .site = static_cast<std::uint32_t>((slot >> (kSizeBits + kBornBits)) - 1),
          .born = static_cast<std::uint32_t>(slot & low_bits(kBornBits))};
}

}  // namespace

bool BlockTable::is_aligned(std::uintptr_t address) {
  return (address & low_bits(kAlignmentBits)) == 0;
}

bool BlockTable::fits(std::uintptr_t address, const Block& block) const {
  return holds_all_ && block.size < kLarge && block.site < low_bits(kSiteBits) &&
         is_aligned(address);
}

std::uint64_t* BlockTable::shadow_of(std::uintptr_t address, bool may_make) {
  const std::uintptr_t number = address >> kRegionBits;
  std::unique_ptr<Region>& first = regions_[number % regions_.size()];
  Region* region = first.get();
  while (region != nullptr && region->number != number) region = region->next.get();
  if (region == nullptr) {
    if (!may_make) return nullptr;
    auto made = std::make_unique<Region>();
    made->number = number;
    made->next = std::move(first);
    first = std::move(made);
    region = first.get();
  }
  const std::uintptr_t inside = address & low_bits(kRegionBits);
  return reinterpret_cast<std::uint64_t*>(region->shadow.data()) + (inside >> kAlignmentBits);
}

std::optional<BlockTable::Block> BlockTable::put(std::uintptr_t address, const Block& block) {
  if (!fits(address, block)) {
    std::optional<Block> before = holds_all_ ? take(address) : std::nullopt;
    const auto [found, is_new] = blocks_.try_emplace(address, block);
    if (!is_new) before = std::exchange(found->second, block);
    return before;
  }
  std::uint64_t& slot = *shadow_of(address, true);
  const std::uint64_t before = std::exchange(slot, packed(block));
  if (before != 0) return unpacked(before);
  return blocks_.empty() ? std::nullopt : take_hashed(address);
}

std::optional<BlockTable::Block> BlockTable::take(std::uintptr_t address) {
  const bool may_fit = holds_all_ && is_aligned(address);
  std::uint64_t* slot = may_fit ? shadow_of(address, false) : nullptr;
  if (slot != nullptr && *slot != 0) {
    return unpacked(std::exchange(*slot, 0));
  }
  return take_hashed(address);
}

std::optional<BlockTable::Block> BlockTable::take_hashed(std::uintptr_t address) {
  const auto found = blocks_.find(address);
  if (found == blocks_.end()) return std::nullopt;
  const Block block = found->second;
  blocks_.erase(found);
  return block;
}

}  // namespace pyrometer

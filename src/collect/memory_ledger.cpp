#include "collect/memory_ledger.h"

#include <bit>
#include <boost/container_hash/hash.hpp>
#include <cmath>

#include "collect/sample_distance.h"

namespace pyrometer {
namespace {

std::uintptr_t address(const void* pointer) { return reinterpret_cast<std::uintptr_t>(pointer); }

// Blocks remember when they were made by a coarse clock that goes round in half a day.
constexpr std::int64_t kTick = 10'000'000;  // ns
std::uint32_t tick(std::int64_t now) {
  return static_cast<std::uint32_t>(now / kTick) & BlockTable::kLatestBirth;
}
std::int64_t age(std::uint32_t born, std::int64_t now) {
  return std::int64_t{(tick(now) - born) & BlockTable::kLatestBirth} * kTick;
}

}  // namespace

std::size_t hash_value(const LedgerSiteKey& key) {
  std::size_t hash = (std::size_t{key.thread} << 32U) + key.node;
  boost::hash_combine(hash, key.caller);
  return hash;
}

MemoryLedger::MemoryLedger(std::uint8_t* block_filter, std::uint8_t* object_filter,
                           Sampling sampling)
    : block_filter_(block_filter, !sampling.of_blocks),
      object_filter_(object_filter, !sampling.of_objects),
      sampling_(sampling),
      blocks_(!sampling.of_blocks) {}

std::uint32_t MemoryLedger::find_site(const LedgerSiteKey& key) {
  const std::lock_guard lock(mutex_);
  const auto [found, is_new] =
      site_numbers_.try_emplace(key, static_cast<std::uint32_t>(sites_.size()));
  if (is_new) sites_.push_back({.key = key, .peak_number = peak_number_});
  return found->second;
}

LedgerSiteKey MemoryLedger::key_of(std::uint32_t site) {
  const std::lock_guard lock(mutex_);
  return sites_[site].key;
}

// Before a site changes for the first time after a peak, what it held then is kept.
LedgerSite& MemoryLedger::change(std::uint32_t site) {
  ++changes_;
  LedgerSite& changed = sites_[site];
  if (changed.peak_number != peak_number_) {
    changed.peak_number = peak_number_;
    changed.at_peak = changed.live;
  }
  return changed;
}

void MemoryLedger::add(std::uint32_t site, std::size_t size, Share share) {
  if (is_frozen() || site == kNobody) return;
  LedgerSite& changed = change(site);
  changed.allocated += share.bytes;
  changed.live += share.bytes;
  changed.allocations += share.blocks;
  changed.live_blocks += share.blocks;
  sizes_[static_cast<std::size_t>(std::bit_width(size))] += share.blocks;
}

void MemoryLedger::take_off(std::uint32_t site, Share share, std::int64_t age) {
  if (is_frozen() || site == kNobody) return;
  LedgerSite& changed = change(site);
  changed.live -= share.bytes;
  changed.live_blocks -= share.blocks;
  if (age < kShortLife) changed.temporary += share.bytes;
}

MemoryLedger::Share MemoryLedger::share_of(const LedgerSiteKey& key, std::size_t size) const {
  const auto bytes = static_cast<std::int64_t>(size);
  const bool is_sample =
      key.caller == 0 ? sampling_.of_objects : sampling_.of_blocks && size < PYROMETER_BIG_BLOCK;
  if (!is_sample) return {bytes, 1};
  // By the chance that a block of this size is met.
  const double real_size = static_cast<double>(std::max<std::size_t>(size, 1));
  const double blocks = sample_weight(real_size, sampling_.bytes);
  return {std::llround(blocks * real_size), blocks};
}

// An object may lie in the pool or in a block of malloc.
void MemoryLedger::filter(std::uint32_t site, void (BlockFilter::*note)(const void*),
                          const void* block) {
  (block_filter_.*note)(block);
  if (sites_[site].key.caller == 0) (object_filter_.*note)(block);
}

void MemoryLedger::block_came(const void* block, std::size_t size, std::uint32_t site,
                              std::int64_t now) {
  const std::lock_guard lock(mutex_);
  const auto before = blocks_.put(address(block), {size, site, tick(now)});
  if (before) forget(*before, block, now);  // it was freed by code of our own
  filter(site, &BlockFilter::add, block);
  add(site, size, share_of(sites_[site].key, size));
}

void MemoryLedger::block_goes(const void* block, std::int64_t now) {
  const std::lock_guard lock(mutex_);
  if (const auto gone = blocks_.take(address(block))) forget(*gone, block, now);
}

void MemoryLedger::forget(const BlockTable::Block& gone, const void* block, std::int64_t now) {
  filter(gone.site, &BlockFilter::remove, block);
  take_off(gone.site, share_of(sites_[gone.site].key, gone.size), age(gone.born, now));
}

void MemoryLedger::mapping_came(const void* begin, std::size_t size, std::uint32_t site,
                                std::int64_t now) {
  const std::lock_guard lock(mutex_);
  mappings_.put(begin, size, now, site);
  add(site, size, {static_cast<std::int64_t>(size), 1});
}

std::int64_t MemoryLedger::mapping_goes(const void* range, std::size_t size, std::int64_t now) {
  const std::lock_guard lock(mutex_);
  std::int64_t gone = 0;
  mappings_.take(range, size, [&](const auto& mapping, std::int64_t bytes, bool is_whole) {
    take_off(mapping.site, {bytes, is_whole ? 1.0 : 0.0}, now - mapping.time);
    gone += bytes;
  });
  return gone;
}

void MemoryLedger::heap_peak(std::int64_t heap, std::int64_t now) {
  const std::lock_guard lock(mutex_);
  if (heap <= peak_ || is_frozen()) return;  // another thread was quicker
  peak_ = heap;
  peak_time_ = now;
  ++peak_number_;
  ++changes_;
}

void MemoryLedger::hear_of_every_end(bool does) {
  const std::lock_guard lock(mutex_);
  block_filter_.pass_all(does);
  object_filter_.pass_all(does);
}

bool MemoryLedger::copy_to(Copy& copy) {
  const std::lock_guard lock(mutex_);
  if (copy.changes == changes_) return false;
  copy = {.sites = sites_,
          .sizes = sizes_,
          .peak = peak_,
          .peak_time = peak_time_,
          .changes = changes_};
  for (LedgerSite& site : copy.sites) {
    if (site.peak_number != peak_number_) site.at_peak = site.live;
  }
  return true;
}

std::vector<MemoryLedger::BigBlock> MemoryLedger::big_blocks() {
  const std::lock_guard lock(mutex_);
  std::vector<BigBlock> big;
  blocks_.visit_large([&](std::uintptr_t begin, const BlockTable::Block& block) {
    if (block.size >= PYROMETER_BIG_BLOCK) big.push_back({begin, block.size, block.site});
  });
  mappings_.visit([&](std::uintptr_t begin, const auto& mapping) {
    const std::size_t size = mapping.end - begin;
    const bool is_big = size >= PYROMETER_BIG_BLOCK && mapping.site != kNobody;
    if (is_big) big.push_back({begin, size, mapping.site});
  });
  return big;
}

}  // namespace pyrometer

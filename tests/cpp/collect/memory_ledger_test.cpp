#include "collect/memory_ledger.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace pyrometer {
namespace {

const void* at(std::uintptr_t address) { return reinterpret_cast<const void*>(address); }

constexpr std::uintptr_t kMalloc = 77;  // who called it
constexpr std::int64_t kLater = 2 * MemoryLedger::kShortLife;

using Filter = std::array<std::uint8_t, PYROMETER_BLOCK_FILTER_BYTES>;

bool may_hold(const Filter& filter, std::uintptr_t address) {
  const std::uint32_t slot = pyrometer_block_slot(at(address));
  return (filter[slot / 8] >> slot % 8 & 1U) != 0;
}

class MemoryLedgerTest : public testing::Test {
 protected:
  const LedgerSite& site(std::uint32_t number) {
    ledger.copy_to(copy);
    return copy.sites.at(number);
  }

  Filter blocks{}, objects{};
  MemoryLedger ledger{blocks.data(), objects.data(), {.of_blocks = false, .of_objects = false}};
  MemoryLedger::Copy copy;
  const std::uint32_t list = ledger.find_site({.node = 1, .caller = kMalloc});
  const std::uint32_t cache = ledger.find_site({.node = 2, .caller = kMalloc});
};

TEST_F(MemoryLedgerTest, SitesAreToldApart) {
  EXPECT_EQ(ledger.find_site({.node = 1, .caller = kMalloc}), list);
  EXPECT_NE(ledger.find_site({.thread = 1, .node = 1, .caller = kMalloc}), list);
  EXPECT_NE(ledger.find_site({.node = 1}), list);
}

TEST(BlockFilterTest, BitsAreThereWhileBlocksAre) {
  Filter bits{};
  BlockFilter filter(bits.data(), false);
  EXPECT_FALSE(may_hold(bits, 64));
  filter.add(at(64));
  filter.add(at(64));
  filter.remove(at(64));
  EXPECT_TRUE(may_hold(bits, 64));
  EXPECT_FALSE(may_hold(bits, 80));
  filter.remove(at(64));
  filter.remove(at(64));
  EXPECT_FALSE(may_hold(bits, 64));
}

TEST(BlockFilterTest, AFullSlotStaysSet) {
  Filter bits{};
  BlockFilter filter(bits.data(), false);
  for (int i = 0; i < 300; ++i) filter.add(at(64));
  for (int i = 0; i < 300; ++i) filter.remove(at(64));
  EXPECT_TRUE(may_hold(bits, 64));
}

TEST_F(MemoryLedgerTest, BlocksComeAndGo) {
  ledger.block_came(at(64), 1000, list, 0);
  ledger.block_came(at(128), 100, list, 0);
  ledger.block_goes(at(64), kLater);
  ledger.block_goes(at(64), kLater);  // nothing more
  EXPECT_EQ(site(list).allocated, 1100);
  EXPECT_EQ(site(list).allocations, 2);
  EXPECT_EQ(site(list).live, 100);
  EXPECT_EQ(site(list).live_blocks, 1);
  EXPECT_EQ(site(list).temporary, 0);
  EXPECT_EQ(copy.sizes[7], 1);
  EXPECT_EQ(copy.sizes[10], 1);
}

TEST_F(MemoryLedgerTest, ShortLivesAreTemporary) {
  ledger.block_came(at(64), 1000, list, kLater);
  ledger.block_goes(at(64), kLater + MemoryLedger::kShortLife / 2);
  EXPECT_EQ(site(list).temporary, 1000);
}

TEST_F(MemoryLedgerTest, AnAddressThatIsUsedAgainWasFreed) {
  for (const std::size_t size : {std::size_t{1000}, std::size_t{3} << 20U, std::size_t{5}}) {
    ledger.block_came(at(64), size, list, 0);
    ledger.block_came(at(64), 500, cache, kLater);
    EXPECT_EQ(site(list).live, 0);
    EXPECT_EQ(site(cache).live, 500);
  }
}

TEST_F(MemoryLedgerTest, KeepsWhatEachSiteHeldAtThePeak) {
  ledger.block_came(at(64), 1000, list, 0);
  ledger.block_came(at(128), 10, cache, 0);
  ledger.heap_peak(1010, 1);
  ledger.block_goes(at(64), 2);
  ledger.block_came(at(192), 20, cache, 3);
  EXPECT_EQ(site(list).at_peak, 1000);
  EXPECT_EQ(site(cache).at_peak, 10);
  ledger.heap_peak(900, 4);  // no peak any more
  EXPECT_EQ(site(list).at_peak, 1000);
  ledger.heap_peak(2000, 5);
  EXPECT_EQ(site(list).at_peak, 0);
  EXPECT_EQ(site(cache).at_peak, 30);
  EXPECT_EQ(copy.peak, 2000);
  EXPECT_EQ(copy.peak_time, 5);
}

TEST_F(MemoryLedgerTest, SitesThatComeAfterThePeakHadNothingThen) {
  ledger.heap_peak(1000, 1);
  const std::uint32_t late = ledger.find_site({.node = 3, .caller = kMalloc});
  ledger.block_came(at(64), 5, late, 2);
  EXPECT_EQ(site(late).at_peak, 0);
}

TEST_F(MemoryLedgerTest, PartsOfMappingsGo) {
  ledger.mapping_came(at(0x10000), 0x4000, list, 0);
  EXPECT_EQ(ledger.mapping_goes(at(0x11000), 0x1000, kLater), 0x1000);  // from the middle
  EXPECT_EQ(site(list).live, 0x3000);
  EXPECT_EQ(ledger.mapping_goes(at(0x11000), 0x1000, kLater), 0);
  EXPECT_EQ(ledger.mapping_goes(at(0x8000), 0x10000, kLater), 0x3000);  // all, and around
  EXPECT_EQ(site(list).live, 0);
  EXPECT_EQ(ledger.mapping_goes(at(0), SIZE_MAX / 2, kLater), 0);
}

TEST_F(MemoryLedgerTest, MappingsOfNobodyGoAsTheyCame) {
  constexpr std::size_t kSize = 2 * PYROMETER_BIG_BLOCK;
  ledger.mapping_came(at(0x10000000), kSize, MemoryLedger::kNobody, 0);
  EXPECT_TRUE(ledger.big_blocks().empty());
  EXPECT_EQ(ledger.mapping_goes(at(0x10000000), kSize, kLater), std::int64_t{kSize});
  EXPECT_EQ(site(list).allocated + site(cache).allocated, 0);
}

TEST_F(MemoryLedgerTest, ListsBigBlocks) {
  ledger.block_came(at(64), PYROMETER_BIG_BLOCK, list, 0);
  ledger.block_came(at(128), 100, list, 0);
  ledger.mapping_came(at(0x10000000), 2 * PYROMETER_BIG_BLOCK, cache, 0);
  const auto big = ledger.big_blocks();
  ASSERT_EQ(big.size(), 2U);
  EXPECT_EQ(big[0].begin, 64U);
  EXPECT_EQ(big[1].size, 2 * PYROMETER_BIG_BLOCK);
}

TEST_F(MemoryLedgerTest, StaysAsItWasWhenTheProgramEnded) {
  ledger.block_came(at(64), 100, list, 0);
  ledger.mapping_came(at(0x10000), 0x1000, cache, 0);
  ledger.freeze();
  ledger.block_goes(at(64), 1);
  EXPECT_EQ(ledger.mapping_goes(at(0x10000), 0x1000, 1), 0x1000);  // the heap shrinks all the same
  ledger.heap_peak(1 << 30, 2);
  EXPECT_EQ(site(list).live, 100);
  EXPECT_EQ(site(cache).live, 0x1000);
  EXPECT_EQ(copy.peak, 0);
}

TEST_F(MemoryLedgerTest, TellsWhetherAnythingChanged) {
  EXPECT_TRUE(ledger.copy_to(copy));
  EXPECT_FALSE(ledger.copy_to(copy));
  ledger.block_came(at(64), 100, list, 0);
  EXPECT_TRUE(ledger.copy_to(copy));
}

TEST(SampledMemoryLedger, SamplesStandForOthersAndFiltersTellOfThem) {
  Filter blocks{}, objects{};
  MemoryLedger ledger(blocks.data(), objects.data(), {.bytes = 1000});
  const std::uint32_t block = ledger.find_site({.node = 1, .caller = kMalloc});
  const std::uint32_t object = ledger.find_site({.node = 1});
  ledger.block_came(at(64), 500, block, 0);
  ledger.block_came(at(128), 10, object, 0);
  ledger.block_came(at(192), PYROMETER_BIG_BLOCK, block, 0);
  EXPECT_TRUE(may_hold(blocks, 64));
  EXPECT_TRUE(may_hold(blocks, 192));
  EXPECT_TRUE(may_hold(objects, 128));
  MemoryLedger::Copy copy;
  ledger.copy_to(copy);
  const double chance = 1 - std::exp(-0.5);
  EXPECT_NEAR(static_cast<double>(copy.sites[block].live),
              500 / chance + static_cast<double>(PYROMETER_BIG_BLOCK), 1);
  EXPECT_NEAR(copy.sites[object].allocations, 1 / (1 - std::exp(-0.01)), 0.001);
  for (const std::uintptr_t address : {64U, 128U, 192U}) ledger.block_goes(at(address), kLater);
  ledger.copy_to(copy);
  EXPECT_EQ(copy.sites[block].live, 0);
  EXPECT_EQ(copy.sites[object].live, 0);
  EXPECT_FALSE(may_hold(blocks, 64));
  EXPECT_FALSE(may_hold(objects, 128));
}

TEST(BlockTable, HoldsWhateverComes) {
  for (const bool holds_all : {false, true}) {
    BlockTable table(holds_all);
    // Small and large, aligned and not, far apart and close together.
    const std::array<std::uintptr_t, 5> addresses = {16, 32, 40, (1U << 20U) + 16, 1ULL << 46U};
    const std::array<std::uint64_t, 5> sizes = {0, 1, (1U << 20U) - 1, 1U << 20U, 1ULL << 40U};
    for (std::size_t i = 0; i < addresses.size(); ++i) {
      EXPECT_FALSE(table.put(addresses[i], {sizes[i], static_cast<std::uint32_t>(i), 9}));
    }
    for (std::size_t i = 0; i < addresses.size(); ++i) {
      const auto block = table.take(addresses[i]);
      ASSERT_TRUE(block);
      EXPECT_EQ(block->size, sizes[i]);
      EXPECT_EQ(block->site, i);
      EXPECT_EQ(block->born, 9U);
      EXPECT_FALSE(table.take(addresses[i]));
    }
  }
}

TEST(BlockTable, GivesBackWhatWasThere) {
  BlockTable table(true);
  table.put(16, {5, 1, 0});
  EXPECT_EQ(table.put(16, {BlockTable::kLarge, 2, 0})->site, 1U);
  EXPECT_EQ(table.put(16, {6, 3, 0})->site, 2U);
  EXPECT_EQ(table.take(16)->site, 3U);
  EXPECT_FALSE(table.take(16));
}

}  // namespace
}  // namespace pyrometer

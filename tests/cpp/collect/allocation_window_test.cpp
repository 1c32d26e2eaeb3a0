#include "collect/allocation_window.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "collect/block_filter.h"

namespace pyrometer {
namespace {

const void* at(std::uintptr_t address) { return reinterpret_cast<const void*>(address); }

constexpr std::uint32_t kList = 3, kCache = 7;  // sites of the ledger

class AllocationWindowTest : public testing::Test {
 protected:
  AllocationWindow::Place place(std::uint32_t site) {
    const auto places = window.places();
    const auto found = std::ranges::find(places, site, &AllocationWindow::Place::site);
    return found == places.end() ? AllocationWindow::Place{} : *found;
  }

  AllocationWindow window;
};

TEST_F(AllocationWindowTest, TellsWhatIsStillLive) {
  window.block_came(at(64), 1000, kList);
  window.block_came(at(128), 100, kList);
  window.block_came(at(192), 10, kCache);
  window.block_goes(at(64));
  window.block_goes(at(192));
  EXPECT_EQ(window.peak(), 1110);
  EXPECT_EQ(place(kList).live, 100);
  EXPECT_EQ(place(kList).live_blocks, 1);
  EXPECT_EQ(place(kCache).live, 0);
  EXPECT_EQ(place(kCache).at_peak, 10);
}

TEST_F(AllocationWindowTest, KeepsWhatEachPlaceHeldAtThePeak) {
  window.block_came(at(64), 1000, kList);
  window.block_goes(at(64));
  window.block_came(at(128), 400, kCache);
  EXPECT_EQ(window.peak(), 1000);
  EXPECT_EQ(place(kList).at_peak, 1000);
  EXPECT_EQ(place(kCache).at_peak, 0);
  window.block_came(at(192), 700, kCache);
  EXPECT_EQ(window.peak(), 1100);
  EXPECT_EQ(place(kList).at_peak, 0);
  EXPECT_EQ(place(kCache).at_peak, 1100);
}

TEST_F(AllocationWindowTest, BlocksFromBeforeDoNotCount) {
  window.block_goes(at(64));
  window.mapping_goes(at(0x10000), 0x1000);
  window.block_came(at(128), 5, kList);
  EXPECT_EQ(window.peak(), 5);
  EXPECT_EQ(window.places().size(), 1);
}

TEST_F(AllocationWindowTest, AnAddressThatIsUsedAgainWasFreed) {
  window.block_came(at(64), 1000, kList);
  window.block_came(at(64), 500, kCache);
  EXPECT_EQ(window.peak(), 1000);
  EXPECT_EQ(place(kList).live, 0);
  EXPECT_EQ(place(kCache).live, 500);
}

TEST_F(AllocationWindowTest, PartsOfMappingsGo) {
  window.mapping_came(at(0x10000), 0x4000, kList);
  window.mapping_goes(at(0x11000), 0x1000);
  EXPECT_EQ(place(kList).live, 0x3000);
  EXPECT_EQ(place(kList).live_blocks, 1);
  window.mapping_goes(at(0x10000), 0x4000);
  EXPECT_EQ(place(kList).live, 0);
  EXPECT_EQ(window.peak(), 0x4000);
}

TEST(BlockFilterTest, LetsAllPassForAWhile) {
  std::array<std::uint8_t, PYROMETER_BLOCK_FILTER_BYTES> bits{};
  const auto may_hold = [&](std::uintptr_t address) {
    const std::uint32_t slot = pyrometer_block_slot(at(address));
    return (bits[slot / 8] >> slot % 8 & 1U) != 0;
  };
  BlockFilter filter(bits.data(), false);
  filter.add(at(64));
  filter.add(at(128));
  filter.pass_all(true);
  EXPECT_TRUE(may_hold(80));
  filter.remove(at(64));
  filter.add(at(96));
  EXPECT_TRUE(may_hold(64));
  filter.pass_all(false);
  EXPECT_FALSE(may_hold(64));
  EXPECT_FALSE(may_hold(80));
  EXPECT_TRUE(may_hold(96));
  EXPECT_TRUE(may_hold(128));
}

}  // namespace
}  // namespace pyrometer

#include "collect/mpi_sites.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "collect/mpi_thread.h"

namespace pyrometer {
namespace {

TEST(MpiSites, EachPlaceFunctionAndSizeIsOneSite) {
  MpiSites sites;
  const std::uint32_t first = sites.find({1, 2, 3, 4});
  EXPECT_EQ(sites.find({1, 2, 3, 4}), first);
  for (const MpiSiteKey& other :
       {MpiSiteKey{0, 2, 3, 4}, {1, 0, 3, 4}, {1, 2, 0, 4}, {1, 2, 3, 0}}) {
    EXPECT_NE(sites.find(other), first);
  }
  EXPECT_EQ(sites.size(), 5U);
}

TEST(MpiSites, SizeClassIsTheBitLength) {
  EXPECT_EQ(MpiSites::size_class(0), 0U);
  EXPECT_EQ(MpiSites::size_class(1), 1U);
  EXPECT_EQ(MpiSites::size_class(1024), 11U);
  EXPECT_EQ(MpiSites::size_class(2047), 11U);
  EXPECT_EQ(MpiSites::size_class(2048), 12U);
}

TEST(MpiSites, CallsAreAddedUp) {
  MpiSites sites;
  MpiSite& site = sites.site(sites.find({1, 2, 3, 4}));
  for (const std::uint64_t time : {30U, 10U, 20U}) site.add(time, 100);
  EXPECT_EQ(site.read(),
            (MpiTotals{.calls = 3, .time = 60, .bytes = 300, .quickest = 10, .slowest = 30}));
}

TEST(MpiSites, BeyondTheBoundPlacesAreFoldedAndNothingIsLost) {
  MpiSites sites;
  constexpr std::uint32_t kFunctions = 100;
  constexpr std::uint32_t kPlaces = 300;
  constexpr std::uint32_t kSizes = 60;
  for (std::uint32_t i = 0; i < kPlaces * kFunctions; ++i) {
    const MpiSiteKey key{1 + i / kFunctions, i % kFunctions, 1 + i % 977, i % kSizes};
    sites.site(sites.find(key)).add(1, 0);
  }
  EXPECT_TRUE(sites.is_folded());
  std::uint64_t calls = 0;
  std::vector<std::uint64_t> by_function(kFunctions);
  for (std::uint32_t i = 0; i < sites.size(); ++i) {
    calls += sites[i].read().calls;
    by_function[sites[i].key.function] += sites[i].read().calls;
    EXPECT_TRUE(i < MpiSites::kMostPlaces || sites[i].key.node == 0);
  }
  EXPECT_EQ(calls, kPlaces * kFunctions);
  EXPECT_EQ(by_function, std::vector<std::uint64_t>(kFunctions, kPlaces));
}

TEST(MpiSites, UnitedTotalsKeepTheQuickest) {
  MpiTotals all;
  all += {};
  all += {.calls = 1, .time = 5, .bytes = 1, .quickest = 5, .slowest = 5};
  all += {.calls = 2, .time = 20, .bytes = 2, .quickest = 8, .slowest = 12};
  EXPECT_EQ(all, (MpiTotals{.calls = 3, .time = 25, .bytes = 3, .quickest = 5, .slowest = 12}));
}

TEST(MpiThread, ACallThatStillRunsCountsWithItsTimeSoFar) {
  MpiThread thread(1);
  const std::uint32_t site = thread.sites.find({0, 7, 2, 0});
  const std::uint32_t other = thread.sites.find({0, 8, 2, 0});
  thread.enter(site, 10, 1000);
  EXPECT_EQ(thread.running(), site);
  EXPECT_EQ(thread.totals(site, 1400),
            (MpiTotals{.calls = 1, .time = 400, .bytes = 10, .quickest = 400, .slowest = 400}));
  EXPECT_EQ(thread.totals(other, 1400), MpiTotals{});
  thread.leave(1500);
  EXPECT_EQ(thread.running(), std::nullopt);
  EXPECT_EQ(thread.totals(site, 9000).time, 500U);
  thread.leave(9000);  // once is enough
  EXPECT_EQ(thread.totals(site, 9000).calls, 1U);
}

TEST(MpiThread, ClocksStandStillInLongCalls) {
  MpiThread thread(1);
  const std::uint32_t site = thread.sites.find({0, 7, 2, 0});
  EXPECT_TRUE(thread.sites[site].is_long(1000));  // nobody knows yet
  thread.clocks.stop();
  thread.enter(site, 0, 1000);
  EXPECT_FALSE(thread.clocks.missed());
  const std::int64_t cpu = own_thread_cpu();
  while (own_thread_cpu() - cpu < 2'000'000) {
  }
  const std::int64_t so_far = thread.clocked(site, monotonic_now());
  EXPECT_GE(so_far, 2'000'000);
  thread.leave(1500);
  EXPECT_FALSE(thread.sites[site].is_long(1000));
  EXPECT_GE(thread.clocked(site, monotonic_now()), so_far);
  const auto missed = thread.clocks.missed();
  ASSERT_TRUE(missed);
  EXPECT_EQ(missed->wall, thread.sites[site].clocked());
  EXPECT_GE(missed->cpu, 2'000'000);
  EXPECT_LE(missed->system, missed->cpu + 10'000'000);  // the kernel may count it in ticks
  thread.enter(site, 0, 2000);                          // a short one is not clocked
  thread.leave(2100);
  EXPECT_EQ(thread.clocks.missed()->wall, missed->wall);
}

TEST(MpiClocks, StandStillInCallsManyTimesAsLongAsThatTakes) {
  const CycleCounter& counter = CycleCounter::own();
  MpiClocks clocks;
  std::uint64_t quickest = ~std::uint64_t{0};
  for (int i = 0; i < 100; ++i) {
    const std::uint64_t begin = counter.read();
    clocks.stop();
    clocks.go_on();
    quickest = std::min(quickest, counter.read() - begin);
  }
  const std::uint64_t least = MpiClocks::least_time_of_calls();
  EXPECT_GE(least, 100 * quickest);
  EXPECT_LE(static_cast<double>(least) * counter.nanoseconds_per_count(), 50e6);
}

}  // namespace
}  // namespace pyrometer

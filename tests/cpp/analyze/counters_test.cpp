#include "analyze/counters.h"

#include <gtest/gtest.h>

#include "profile/builder.h"

using namespace pyrometer;

namespace {

using Points = std::vector<std::pair<std::int64_t, std::int64_t>>;

void add_series(ProfileBuilder& builder, ProcessId process, const char* name, Points points) {
  builder.profile().counters.push_back(
      {process, builder.string(name), Unit::kBytes, std::move(points)});
}

}  // namespace

TEST(Counters, PeaksOfProcessesAndTogether) {
  ProfileBuilder builder;
  const ProcessId parent = builder.add_process({.start = 100, .duration = 50});
  const ProcessId child = builder.add_process({.start = 110, .duration = 20});
  add_series(builder, parent, "memory", {{0, 5}, {15, 7}, {50, 9}});
  add_series(builder, child, "memory", {{0, 3}, {20, 4}});
  const CounterOverview overview = make_counter_overview(builder.finish());
  ASSERT_EQ(overview.counters.size(), 2U);
  EXPECT_EQ(overview.counters[0].peak.value, 9);
  EXPECT_EQ(overview.counters[0].peak.time, 150);
  EXPECT_EQ(overview.counters[0].first, 5);
  EXPECT_EQ(overview.counters[1].peak.time, 130);
  // At 130 the parent has 7 and the child 4; at 150 the child has ended.
  ASSERT_TRUE(overview.together);
  EXPECT_EQ(overview.together->value, 11);
  EXPECT_EQ(overview.together->time, 130);
  EXPECT_EQ(overview.begin, 100);
  EXPECT_EQ(overview.duration, 50);
}

TEST(Counters, RegionsByIncrementWithWhatWasAtTheirEnds) {
  ProfileBuilder builder;
  const ProcessId process = builder.add_process({});
  const ThreadId thread = builder.add_thread({.process = process});
  const auto call = [&](const char* name, std::int64_t start, std::int64_t value) {
    builder.profile().regions.push_back({thread, builder.string(name), start, 10, 0, value});
  };
  call("small", 0, 1);
  call("large", 10, 6);
  call("large", 30, -2);
  add_series(builder, process, "large", {{10, 20}, {20, 26}, {30, 26}, {40, 24}});
  const CounterOverview overview = make_counter_overview(builder.finish());
  EXPECT_TRUE(overview.counters.empty());
  EXPECT_FALSE(overview.together);
  ASSERT_EQ(overview.regions.size(), 2U);
  const RegionSummary& large = overview.regions[0];
  EXPECT_EQ(large.calls, 2U);
  EXPECT_EQ(large.duration, 20);
  EXPECT_EQ(large.increment, 4);
  EXPECT_EQ(large.largest, 6);
  EXPECT_EQ(large.before, 20);
  EXPECT_EQ(large.after, 24);
  EXPECT_FALSE(overview.regions[1].before);
}

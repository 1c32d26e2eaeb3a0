// Named regions: their figures over processes, and what happened inside one.
#include <gtest/gtest.h>

#include "analyze/region_table.h"
#include "analyze/transform_region.h"
#include "support/timed_profile.h"

namespace pyrometer {
namespace {

constexpr std::int64_t kSecond = testing::TimedProfile::kSecond;

TEST(RegionTable, AddsUpProcessesAndTellsTheirExtremes) {
  Profile profile;
  profile.processes = {
      {.attributes = {{"region.solve", "2 10 8 4 6"}, {"regions.left-out", "3"}}},
      {.attributes = {{"region.solve", "1 5 5 5 5"}, {"region.a b", "1 90 90 90 90"}}},
      {.attributes = {{"regions.left-out", "4"}}}};
  const std::vector<RegionCost> rows = make_region_table(profile);
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].name, "a b");
  const RegionCost& solve = rows[1];
  EXPECT_EQ(solve.count, 3);
  EXPECT_EQ(solve.total, 15);
  EXPECT_EQ(solve.self, 13);
  EXPECT_EQ(solve.mean(), 5);
  EXPECT_EQ(solve.shortest, 4);
  EXPECT_EQ(solve.longest, 6);
  EXPECT_EQ(solve.processes, 2U);
  EXPECT_EQ(solve.least, 5);
  EXPECT_EQ(solve.mean_of_process(), 7);
  EXPECT_EQ(solve.most, 10);
  EXPECT_EQ(regions_left_out(profile), 7);
  EXPECT_EQ(region_left_out(profile, "solve"), 3) << "none of them is on the timeline";
  EXPECT_EQ(region_left_out(profile, "nobody"), 0);
}

TEST(RegionTable, LeavesOutWhatMakesNoSense) {
  for (const char* value : {"", "1", "1 2 3 4", "1 2 3 4 5 6", "0 0 0 0 0", "1 -2 3 4 5",
                            "1  2 3 4 5", "x 2 3 4 5", "99999999999999999999 2 3 4 5"}) {
    Profile profile;
    profile.processes = {{.attributes = {{"region.x", value}, {"regions.left-out", value}}}};
    EXPECT_TRUE(make_region_table(profile).empty()) << value;
  }
}

TEST(KeepRegion, CountsByThePartInside) {
  testing::TimedProfile timed;
  const Profile profile = timed.finish();
  const auto region = find_region(profile, "step");
  ASSERT_TRUE(region);
  const auto kept = keep_region(profile, *region);
  ASSERT_TRUE(kept) << kept.error().message;
  // From 1 s to 2 s in solve, from 3 s to 3.5 s in main.
  const auto wall = kept->find_metric("wall");
  std::int64_t sum = 0;
  for (const std::int64_t value : kept->node_totals[wall->row()]) sum += value;
  EXPECT_EQ(sum, kSecond + kSecond / 2);
  EXPECT_EQ(kept->process_totals[0][wall->row()], sum);
  EXPECT_EQ(kept->process_totals[1][wall->row()], 0);
  const auto samples = kept->find_metric("samples");
  EXPECT_EQ(kept->process_totals[0][samples->row()], 3);
}

TEST(KeepRegion, SaysWhichRegionsThereAre) {
  testing::TimedProfile timed;
  const auto region = find_region(timed.finish(), "stop");
  ASSERT_FALSE(region);
  EXPECT_EQ(region.error().message, "this profile has no region 'stop'; it has step");
}

TEST(KeepRegion, NeedsTimes) {
  ProfileBuilder builder;
  const ProcessId process = builder.add_process({});
  const ThreadId thread = builder.add_thread({.process = process});
  builder.profile().regions.push_back({thread, builder.string("x"), 0, 1, 0, 0});
  const Profile profile = builder.finish();
  EXPECT_FALSE(keep_region(profile, *find_region(profile, "x")));
}

}  // namespace
}  // namespace pyrometer

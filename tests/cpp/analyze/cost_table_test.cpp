#include "analyze/cost_table.h"

#include <gtest/gtest.h>

#include "analyze/rank_costs.h"
#include "profile/builder.h"
#include "support/profile_of_stacks.h"

namespace pyrometer {
namespace {

using testing::profile_of_stacks;

CostTable table_of(const Profile& profile, const CostChoice& choice) {
  return make_cost_table(profile, find_cost_source(profile, choice).value());
}

// "name:line value/hits" of every row.
std::string describe(const CostTable& table) {
  std::string text;
  for (const CostRow& row : table.rows) {
    text += fmt::format("{}:{} {}/{} ", row.name, row.line, row.value, row.hits);
  }
  return text;
}

// Ranks with one process each, and lines of one function.
struct Ranks {
  ProfileBuilder builder;
  FunctionId function = builder.function({.name = "f",
                                          .qualified_name = "f",
                                          .file = "/w/f.py",
                                          .short_file = "f.py",
                                          .first_line = 1});

  void add(std::int64_t rank, std::int64_t world, std::uint32_t line, std::int64_t hits,
           std::int64_t time) {
    const ProcessId process = builder.add_process({.rank = rank, .world_size = world});
    const ThreadId thread = builder.add_thread({.process = process});
    builder.add_line({thread, builder.metric({"hits", Unit::kCount}), function, line, hits});
    builder.add_line(
        {thread, builder.metric({"line-time", Unit::kNanoseconds}), function, line, time});
    ValueRows::Row row = builder.values(thread).row(builder.node(NodeId::none(), function, line));
    row[builder.metric({"wall", Unit::kNanoseconds})] += 10 * time;
  }
};

TEST(CostTable, FunctionsWithAndWithoutCallees) {
  const Profile profile = profile_of_stacks({{"main", 10, 1}, {"main;solve", 30, 4}});
  const CostTable total = table_of(profile, {});
  EXPECT_EQ(describe(total), "main:0 40/1 solve:0 30/4 ");
  EXPECT_EQ(total.total, 40);
  EXPECT_EQ(total.metric.name, "wall");
  EXPECT_FALSE(total.is_sampled);
  EXPECT_EQ(describe(table_of(profile, {.self = true})), "main:0 10/1 solve:0 30/4 ");
  EXPECT_EQ(describe(table_of(profile, {.metric = "calls"})), "main:0 5/1 solve:0 4/4 ");
}

TEST(CostTable, SampledLinesHaveTheSamplesBelowThem) {
  const Profile profile = profile_of_stacks(
      {{"main:2", 3'000'000}, {"main:2;solve:7", 5'000'000}, {"main:3", 1'000'000}}, true);
  const CostTable table = table_of(profile, {.lines = true});
  EXPECT_TRUE(table.is_sampled);
  EXPECT_EQ(table.samples, 9);
  EXPECT_EQ(table.total, 9'000'000);
  ASSERT_EQ(table.rows.size(), 3U);
  EXPECT_EQ(table.rows[0].value, 8'000'000);
  EXPECT_EQ(table.rows[0].samples, 8);
  EXPECT_EQ(table_of(profile, {.lines = true, .self = true}).rows[0].samples, 3);
}

TEST(CostTable, ExactLinesComeBeforeSampledOnes) {
  Ranks ranks;
  ranks.add(-1, 0, 5, 3, 300);
  const Profile profile = ranks.builder.finish();
  EXPECT_TRUE(has_exact_lines(profile));
  const CostTable lines = table_of(profile, {.lines = true});
  EXPECT_EQ(lines.metric.name, "line-time");
  EXPECT_EQ(describe(lines), "f:5 300/3 ");
  EXPECT_EQ(describe(table_of(profile, {.lines = true, .metric = "wall"})), "f:5 3000/3 ");
  const auto self = find_cost_source(profile, {.lines = true, .self = true});
  ASSERT_FALSE(self);
  EXPECT_NE(self.error().message.find("run --lines"), std::string::npos);
}

TEST(CostTable, FunctionsOfALineProfileAreTheSumsOfTheirLines) {
  ProfileBuilder builder;
  const ThreadId thread = builder.add_thread({.process = builder.add_process({})});
  const FunctionId function = builder.function({.name = "f", .short_file = "f.py"});
  const MetricId time = builder.metric({"line-time", Unit::kNanoseconds});
  builder.add_line({thread, time, function, 2, 30});
  builder.add_line({thread, time, function, 3, 12});
  EXPECT_EQ(describe(table_of(builder.finish(), {})), "f:0 42/0 ");
}

TEST(CostTable, SaysWhatIsMissing) {
  const Profile profile = profile_of_stacks({{"main", 10}});
  const auto lines = find_cost_source(profile, {.lines = true});
  ASSERT_FALSE(lines);
  EXPECT_NE(lines.error().message.find("'test.pyr' holds no lines"), std::string::npos);
  const auto metric = find_cost_source(profile, {.metric = "luck"});
  ASSERT_FALSE(metric);
  EXPECT_NE(metric.error().message.find("no metric 'luck'"), std::string::npos);
}

TEST(RankCosts, OneTablePerRankWithItsChildren) {
  Ranks ranks;
  ranks.add(0, 2, 5, 1, 10);
  ranks.add(1, 2, 5, 2, 30);
  ranks.add(1, 2, 6, 4, 70);  // a child of rank 1
  Profile profile = ranks.builder.finish();
  EXPECT_EQ(count_of_processes(profile), 2);
  const CostSource lines = find_cost_source(profile, {.lines = true}).value();
  const CostSource functions = find_cost_source(profile, {.metric = "wall"}).value();
  const auto by_line = make_rank_costs(std::move(profile), lines);
  ASSERT_EQ(by_line.size(), 2U);
  EXPECT_EQ(describe(by_line[0]), "f:5 10/1 ");
  EXPECT_EQ(by_line[0].total, 10);
  EXPECT_EQ(describe(by_line[1]), "f:5 30/2 f:6 70/4 ");
  EXPECT_EQ(by_line[1].total, 100);

  Ranks again;
  again.add(0, 2, 5, 1, 10);
  again.add(1, 2, 5, 2, 30);
  const auto by_function = make_rank_costs(again.builder.finish(), functions);
  ASSERT_EQ(by_function.size(), 2U);
  EXPECT_EQ(by_function[0].total, 100);
  EXPECT_EQ(by_function[1].total, 300);
}

TEST(RankCosts, CountsProcessesWhereThereAreNoRanks) {
  Ranks ranks;
  ranks.add(-1, 0, 5, 1, 10);
  ranks.add(-1, 0, 5, 1, 10);
  ranks.add(-1, 0, 5, 1, 10);
  EXPECT_EQ(count_of_processes(ranks.builder.finish()), 3);
  Ranks world;
  world.add(0, 64, 5, 1, 10);  // the other files were left at home
  EXPECT_EQ(count_of_processes(world.builder.finish()), 64);
}

}  // namespace
}  // namespace pyrometer

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "analyze/findings/findings.h"
#include "analyze/line_table.h"
#include "analyze/main_metric.h"
#include "analyze/selection.h"
#include "analyze/view_tree.h"
#include "support/profile_of_stacks.h"

namespace pyrometer {
namespace {

using testing::profile_of_stacks;

std::string_view name_of(const Profile& profile, FunctionId function) {
  return profile.text(profile.functions[function.row()].name);
}

TEST(LineTable, SelfAndTotalByLineWithRecursionCountedOnce) {
  const Profile profile = profile_of_stacks({{"f:3", 5}, {"f:3;f:3", 7}, {"f:4", 1}, {"g", 9}});
  const auto lines = make_line_table(profile, MetricId(0));
  ASSERT_EQ(lines.size(), 2U);  // g has no line
  EXPECT_EQ(lines[0].line, 3U);
  EXPECT_EQ(lines[0].self, 12);
  EXPECT_EQ(lines[0].total, 12);
  EXPECT_EQ(lines[1].self, 1);
}

TEST(ViewTree, TopDownMergesLinesAndSortsByWeight) {
  const Profile profile =
      profile_of_stacks({{"main:1;a:2", 10}, {"main:2;a:3", 20}, {"main:3;b:4", 50}});
  const ViewTree tree = make_call_tree(profile, MetricId(0));
  ASSERT_EQ(tree.roots.size(), 1U);
  const ViewNode& main = tree.nodes[tree.roots[0]];
  EXPECT_EQ(main.total, 80);
  ASSERT_EQ(main.children.size(), 2U);
  EXPECT_EQ(name_of(profile, tree.nodes[main.children[0]].function), "b");
  EXPECT_EQ(tree.nodes[main.children[1]].total, 30);
}

TEST(ViewTree, BottomUpDividesSelfTimeAmongCallers) {
  const Profile profile =
      profile_of_stacks({{"main;a;dot", 10}, {"main;b;dot", 30}, {"main;b", 5}});
  const ViewTree tree = make_bottom_up_tree(profile, MetricId(0), 10);
  const ViewNode& dot = tree.nodes[tree.roots[0]];
  EXPECT_EQ(name_of(profile, dot.function), "dot");
  EXPECT_EQ(dot.self, 40);
  ASSERT_EQ(dot.children.size(), 2U);
  EXPECT_EQ(name_of(profile, tree.nodes[dot.children[0]].function), "b");
  EXPECT_EQ(tree.nodes[dot.children[0]].total, 30);
  const ViewTree shallow = make_bottom_up_tree(profile, MetricId(0), 1);
  for (const ViewNode& node : shallow.nodes) EXPECT_LE(node.depth, 1U);
}

TEST(Selection, FiltersSortsAndLimits) {
  const Profile profile = profile_of_stacks({{"alpha", 1, 9}, {"beta", 3, 1}, {"gamma", 2, 5}});
  const Overview overview = make_overview(profile, MetricId(0));
  const auto names = [&](const Selection& selection) {
    std::string all;
    auto rows = select_functions(overview, selection);
    limit_rows(rows, selection);
    for (const FunctionCost& cost : rows) all += std::string(name_of(profile, cost.function)) + " ";
    return all;
  };
  EXPECT_EQ(names({}), "beta gamma alpha ");
  EXPECT_EQ(names({.sort = {SortKey::kCalls}}), "alpha gamma beta ");
  EXPECT_EQ(names({.sort = {SortKey::kName}, .limit = 2}), "alpha beta ");
  EXPECT_EQ(names({.keep = {*Pattern::parse("a$")}, .drop = {*Pattern::parse("gam")}}),
            "beta alpha ");
  EXPECT_EQ(names({.keep = {*Pattern::parse("beta\\.py:1")}}), "beta ");
  EXPECT_FALSE(Pattern::parse("(unclosed"));
}

TEST(Selection, APatternThatExplodesGivesUp) {
  const Profile profile = profile_of_stacks({{std::string(5000, 'a') + "b", 1}});
  const Overview overview = make_overview(profile, MetricId(0));
  EXPECT_TRUE(select_functions(overview, {.keep = {*Pattern::parse("^(a|a|a?)+$")}}).empty());
}

TEST(MainMetric, WallThenWhateverThereIs) {
  EXPECT_EQ(main_metric(profile_of_stacks({{"f", 5}})).value(), MetricId(0));
  EXPECT_EQ(main_metric(profile_of_stacks({{"f", 0, 3}})).value(), MetricId(1));
  const Profile profile = profile_of_stacks({{"f", 5}});
  EXPECT_FALSE(main_metric(Profile()));
  const auto unknown = named_metric(profile, "speed");
  ASSERT_FALSE(unknown);
  EXPECT_NE(unknown.error().message.find("wall"), std::string::npos);
}

std::vector<std::string> ids_of(const Profile& profile) {
  std::vector<std::string> ids;
  for (const Finding& finding : find_all(make_overview(profile, MetricId(0))))
    ids.push_back(finding.id);
  return ids;
}

bool has(const std::vector<std::string>& ids, const std::string& id) {
  return std::find(ids.begin(), ids.end(), id) != ids.end();
}

constexpr std::int64_t kMs = 1'000'000;

TEST(Findings, AHotFunctionIsNamedWithItsLine) {
  const Profile profile = profile_of_stacks({{"main:1;hot:5", 90}, {"main:1;cold:5", 10}});
  const auto findings = find_all(make_overview(profile, MetricId(0)));
  ASSERT_FALSE(findings.empty());
  EXPECT_EQ(findings[0].id, "hot-function");
  EXPECT_NE(findings[0].sentence.find(
                "90 % of the wall time is in hot itself (hot.py:1), hottest line 5"),
            std::string::npos)
      << findings[0].sentence;
}

TEST(Findings, AFlatProfileHasNoHotSpot) {
  std::vector<testing::Stack> stacks;
  for (int i = 0; i < 20; ++i) stacks.push_back({fmt::format("f{}:3", i), 10});
  EXPECT_TRUE(ids_of(profile_of_stacks(stacks)).empty());
}

TEST(Findings, FewSamplesSilenceSharesThatNoiseExplains) {
  // 4 of 16 samples is 25 %, but may well be 10 %.
  std::vector<testing::Stack> stacks{{"hot:1", 4 * kMs}};
  for (int i = 0; i < 12; ++i) stacks.push_back({fmt::format("f{}:1", i), kMs});
  const auto few = ids_of(profile_of_stacks(stacks, true));
  EXPECT_TRUE(has(few, "few-samples"));
  EXPECT_FALSE(has(few, "hot-function"));
  for (auto& stack : stacks) stack.wall *= 100;
  const auto many = ids_of(profile_of_stacks(stacks, true));
  EXPECT_FALSE(has(many, "few-samples"));
  EXPECT_TRUE(has(many, "hot-function"));
}

TEST(Findings, TimesOfATraceAreNotTakenForNoSamples) {
  Profile trace = profile_of_stacks({{"hot:1", 90 * kMs}, {"cold:1", 10 * kMs}});
  trace.is_sampled = true;
  EXPECT_TRUE(has(ids_of(trace), "no-samples"));
  trace.metrics[trace.find_metric("samples")->row()].name = "events";
  EXPECT_FALSE(has(ids_of(trace), "no-samples"));
  Profile empty = profile_of_stacks({});
  empty.is_sampled = true;
  EXPECT_TRUE(has(ids_of(empty), "no-samples"));
}

TEST(Findings, ADifferenceOfProfilesHasNoNumberOfSamples) {
  const Profile difference =
      profile_of_stacks({{"slower:1", 3 * kMs}, {"faster:1", -8 * kMs}}, true);
  EXPECT_FALSE(has(ids_of(difference), "few-samples"));
}

TEST(Findings, TroubleComesFirst) {
  Profile profile = profile_of_stacks({{"hot:1", 100}});
  profile.processes[0].status = ProcessStatus::kTruncated;
  profile.processes[0].rank = 1;
  profile.processes[0].world_size = 4;
  profile.messages.push_back({ProcessId(0), 0, MessageLevel::kWarning, "perf_event was denied."});
  const auto findings = find_all(make_overview(profile, MetricId(0)));
  ASSERT_GE(findings.size(), 4U);
  EXPECT_EQ(findings[0].id, "truncated");
  EXPECT_EQ(findings[1].id, "missing-ranks");
  EXPECT_EQ(findings[1].sentence, "3 of 4 ranks left no recording (first: rank 0).");
  EXPECT_EQ(findings[2].id, "recorder");
}

TEST(Findings, RanksThatNobodyWantedAreNotMissing) {
  Profile profile = profile_of_stacks({{"hot:1", 100}});
  profile.processes[0].rank = 0;
  profile.processes[0].world_size = 64;
  profile.processes[0].attributes = {{"ranks", "0"}};
  EXPECT_FALSE(has(ids_of(profile), "missing-ranks"));
  profile.processes[0].attributes = {{"ranks", "0,%16"}};
  const auto findings = find_all(make_overview(profile, MetricId(0)));
  ASSERT_FALSE(findings.empty());
  EXPECT_EQ(findings[0].sentence, "3 of 4 ranks left no recording (first: rank 16).");
}

TEST(Findings, ManySmallCalls) {
  const Profile profile =
      profile_of_stacks({{"tiny", 300 * kMs, 1'000'000}, {"rest", 700 * kMs, 1}});
  EXPECT_TRUE(has(ids_of(profile), "many-small-calls"));
  const Profile few = profile_of_stacks({{"tiny", 300 * kMs, 10}, {"rest", 700 * kMs, 1}});
  EXPECT_FALSE(has(ids_of(few), "many-small-calls"));
}

TEST(Findings, ImportsAndGilWaits) {
  ProfileBuilder builder;
  const ThreadId thread =
      builder.add_thread({.process = builder.add_process({}), .name = builder.string("t")});
  const MetricId wall = builder.metric({"wall", Unit::kNanoseconds});
  const MetricId gil = builder.metric({"gil-wait", Unit::kNanoseconds});
  const FunctionId import =
      builder.function({.name = "_find_and_load", .file = "<frozen importlib._bootstrap>"});
  const NodeId node = builder.node(NodeId::none(), import, 1);
  builder.values(thread).row(node)[wall] = 100;
  builder.values(thread).row(node)[gil] = 40;
  const auto ids = ids_of(builder.finish());
  EXPECT_TRUE(has(ids, "import-time"));
  EXPECT_TRUE(has(ids, "gil-waits"));
}

}  // namespace
}  // namespace pyrometer

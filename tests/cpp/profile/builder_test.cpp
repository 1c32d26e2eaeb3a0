#include "profile/builder.h"

#include <gtest/gtest.h>

#include "profile/totals.h"

namespace pyrometer {
namespace {

struct Sample {
  std::vector<std::pair<std::string, std::uint32_t>> stack;  // name, line
  std::int64_t value;
};

// A profile of one process from stacks with values.
Profile profile_of(std::int64_t rank, const std::vector<Sample>& samples) {
  ProfileBuilder builder;
  const ProcessId process = builder.add_process({.rank = rank, .pid = 7});
  const ThreadId thread = builder.add_thread({.process = process, .name = builder.string("main")});
  const MetricId wall = builder.metric({"wall", Unit::kNanoseconds});
  for (const Sample& sample : samples) {
    NodeId node = NodeId::none();
    for (const auto& [name, line] : sample.stack) {
      node = builder.node(
          node, builder.function({.name = name, .file = "a.py", .short_file = "a.py"}), line);
    }
    builder.values(thread).row(node)[wall] += sample.value;
  }
  return builder.finish();
}

TEST(ProfileBuilder, EveryPositionOnceWithParentsFirst) {
  const Profile profile =
      profile_of(0, {{{{"f", 1}, {"g", 2}}, 5}, {{{"f", 1}, {"g", 3}}, 6}, {{{"f", 1}}, 1}});
  EXPECT_EQ(profile.functions.size(), 2U);
  ASSERT_EQ(profile.nodes.size(), 3U);
  for (std::size_t i = 0; i < profile.nodes.size(); ++i) {
    const NodeId parent = profile.nodes[i].parent;
    EXPECT_TRUE(parent.is_none() || parent.row() < i);
  }
  EXPECT_EQ(grand_total(profile, MetricId(0)), 12);
}

TEST(ProfileBuilder, IdsDependOnContentNotOnOrder) {
  const Profile a = profile_of(0, {{{{"f", 1}, {"g", 2}}, 5}, {{{"h", 1}}, 1}});
  const Profile b = profile_of(9, {{{{"h", 1}}, 1}, {{{"f", 1}, {"g", 2}}, 5}});
  std::set<ContentId> ids_a, ids_b;
  for (const Node& node : a.nodes) ids_a.insert(node.id);
  for (const Node& node : b.nodes) ids_b.insert(node.id);
  EXPECT_EQ(ids_a, ids_b);
  EXPECT_EQ(ids_a.size(), 3U);
}

TEST(ProfileBuilder, ColumnsTellFunctionsOnOneLineApart) {
  ProfileBuilder builder;
  const FunctionId a = builder.function(
      {.name = "<lambda>", .short_file = "a.py", .first_line = 3, .first_column = 5});
  const FunctionId b = builder.function(
      {.name = "<lambda>", .short_file = "a.py", .first_line = 3, .first_column = 20});
  EXPECT_NE(a, b);
}

TEST(ProfileUnion, AddsProcessesOverOneTree) {
  ProfileBuilder builder;
  builder.add_profile(profile_of(0, {{{{"f", 1}, {"g", 2}}, 5}}));
  builder.add_profile(profile_of(1, {{{{"f", 1}, {"g", 2}}, 7}, {{{"f", 9}}, 1}}));
  const Profile both = builder.finish();
  EXPECT_EQ(both.processes.size(), 2U);
  EXPECT_EQ(both.nodes.size(), 3U);
  EXPECT_EQ(grand_total(both, MetricId(0)), 13);
  EXPECT_EQ(both.process_totals[0][0], 5);
  EXPECT_EQ(both.process_totals[1][0], 8);
}

TEST(ProfileUnion, LargestCombinesAsLargest) {
  const auto peak_of = [](std::int64_t value) {
    ProfileBuilder builder;
    const ThreadId thread =
        builder.add_thread({.process = builder.add_process({}), .name = builder.string("t")});
    const MetricId peak = builder.metric({"peak", Unit::kBytes, Combine::kMax});
    const NodeId node = builder.node(NodeId::none(), builder.function({.name = "f"}), 1);
    builder.values(thread).row(node)[peak] = value;
    return builder.finish();
  };
  ProfileBuilder builder;
  builder.add_profile(peak_of(10));
  builder.add_profile(peak_of(30));
  builder.add_profile(peak_of(20));
  EXPECT_EQ(grand_total(builder.finish(), MetricId(0)), 30);
}

TEST(ProfileUnion, KeepsSamplesRegionsSourcesAndMessages) {
  ProfileBuilder first;
  const ProcessId process = first.add_process({});
  const ThreadId thread = first.add_thread({.process = process, .name = first.string("t")});
  const MetricId wall = first.metric({"wall", Unit::kNanoseconds});
  const NodeId node = first.node(NodeId::none(), first.function({.name = "f"}), 1);
  Profile& profile = first.profile();
  profile.samples.emplace_back(thread, std::vector{wall});
  const std::int64_t value = 5;
  profile.samples[0].append(100, node, std::span(&value, 1));
  profile.regions.push_back({thread, first.string("assembly"), 1, 2, 0, 0});
  profile.messages.push_back({process, 1, MessageLevel::kWarning, "careful"});
  profile.sources[first.string("a.py")] = {false, "x = 1"};
  const Profile original = first.finish();

  ProfileBuilder second;
  second.string("shifts the string rows");
  second.add_profile(original);
  const Profile copy = second.finish();
  ASSERT_EQ(copy.samples.size(), 1U);
  copy.samples[0].for_each([&](std::int64_t time, NodeId at, std::span<const std::int64_t> values) {
    EXPECT_EQ(time, 100);
    EXPECT_EQ(copy.text(copy.function_of(at).name), "f");
    EXPECT_EQ(values[0], 5);
  });
  EXPECT_EQ(copy.text(copy.regions.at(0).name), "assembly");
  EXPECT_EQ(copy.messages.at(0).text, "careful");
  EXPECT_EQ(copy.sources.begin()->second.content, "x = 1");
}

TEST(SampleTrack, KeepsAnyNumbers) {
  SampleTrack track(ThreadId(0), {MetricId(0), MetricId(1)});
  const std::vector<std::vector<std::int64_t>> rows{
      {0, 0, 0, 0}, {INT64_MAX, 7, -1, INT64_MIN}, {INT64_MIN, 3, 1, INT64_MAX}};
  for (const auto& row : rows) {
    track.append(row[0], NodeId(static_cast<std::uint32_t>(row[1])), std::span(row).subspan(2));
  }
  std::size_t i = 0;
  track.for_each([&](std::int64_t time, NodeId node, std::span<const std::int64_t> values) {
    EXPECT_EQ(time, rows[i][0]);
    EXPECT_EQ(node.row(), rows[i][1]);
    EXPECT_EQ(values[0], rows[i][2]);
    EXPECT_EQ(values[1], rows[i][3]);
    ++i;
  });
  EXPECT_EQ(i, rows.size());
}

}  // namespace
}  // namespace pyrometer

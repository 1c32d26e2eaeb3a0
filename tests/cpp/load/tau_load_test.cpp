#include <gtest/gtest.h>

#include <algorithm>

#include "load/load.h"
#include "load/tau.h"
#include "support/temporary_folder.h"

using namespace pyrometer;

namespace {

TauProfile read_tau(std::string_view rows) {
  const auto count = std::count(rows.begin(), rows.end(), '\n');
  TauTextReader reader;
  const auto added = reader.add(fmt::format("{} templated_functions_MULTI_TIME\n# Name\n{}"
                                            "0 aggregates\n",
                                            count, rows),
                                {});
  EXPECT_TRUE(added) << added.error().message;
  return reader.take();
}

// "a;b 5": the nodes of the tree with their own wall time in microseconds.
std::vector<std::string> tree_of(const Profile& profile) {
  std::vector<std::string> paths, rows;
  const MetricId wall = *profile.find_metric("wall");
  for (std::size_t i = 0; i < profile.nodes.size(); ++i) {
    const Node& node = profile.nodes[i];
    const std::string name(profile.text(profile.functions[node.function.row()].name));
    paths.push_back(node.parent.is_none() ? name : paths[node.parent.row()] + ";" + name);
    const std::string line = node.line == 0 ? "" : fmt::format(":{}", node.line);
    rows.push_back(
        fmt::format("{}{} {}", paths.back(), line, profile.node_totals[wall.row()][i] / 1000));
  }
  std::sort(rows.begin(), rows.end());
  return rows;
}

using Rows = std::vector<std::string>;

}  // namespace

TEST(LoadTau, WholePathsBecomeTheTree) {
  const Profile profile = load_tau(read_tau(
      "\".TAU application\" 1 1 10 100 0 GROUP=\"TAU_DEFAULT\" \n"
      "\"main\" 1 2 20 90 0 GROUP=\"TAU_USER\" \n"
      "\".TAU application => main\" 1 2 20 90 0 GROUP=\"TAU_CALLPATH|TAU_USER\" \n"
      "\"dot [{d.py} {4}]\" 3 0 70 70 0 GROUP=\"TAU_PYTHON\" \n"
      "\".TAU application => main => dot [{d.py} {4}]\" 3 0 70 70 0 GROUP=\"TAU_CALLPATH\" \n"));
  EXPECT_EQ(tree_of(profile), (Rows{".TAU application 10", ".TAU application;main 20",
                                    ".TAU application;main;dot 70"}));
  EXPECT_FALSE(profile.paths_are_estimated);
  EXPECT_TRUE(profile.flat_values.empty());
  EXPECT_EQ(profile.processes[0].duration, 100'000);
  EXPECT_EQ(profile.processes[0].rank, 0);
}

TEST(LoadTau, TheProgramIsLeftOutWhereItSpendsNothing) {
  const Profile profile = load_tau(
      read_tau("\".TAU application\" 1 1 0 90 0 GROUP=\"TAU_DEFAULT\" \n"
               "\"main\" 1 0 90 90 0 GROUP=\"TAU_USER\" \n"
               "\".TAU application => main\" 1 0 90 90 0 GROUP=\"TAU_CALLPATH|TAU_USER\" \n"));
  EXPECT_EQ(tree_of(profile), Rows{"main 90"});
}

// With TAU_CALLPATH_DEPTH=2, "b => c" does not say that b was called by a.
TEST(LoadTau, PathsThatAreCutBecomeEdges) {
  const Profile profile =
      load_tau(read_tau("\"a\" 1 1 10 100 0 GROUP=\"TAU_USER\" \n"
                        "\"b\" 1 1 20 90 0 GROUP=\"TAU_USER\" \n"
                        "\"c\" 4 0 70 70 0 GROUP=\"TAU_USER\" \n"
                        "\"a => b\" 1 1 20 90 0 GROUP=\"TAU_CALLPATH|TAU_USER\" \n"
                        "\"b => c\" 4 0 70 70 0 GROUP=\"TAU_CALLPATH|TAU_USER\" \n"));
  EXPECT_TRUE(profile.paths_are_estimated);
  EXPECT_EQ(tree_of(profile), (Rows{"a 10", "a;b 20", "a;b;c 70"}));
  std::int64_t total_of_b = 0;
  for (const FlatValue& flat : profile.flat_values) {
    const bool is_wall = profile.metrics[flat.metric.row()].name == "wall";
    const bool is_b = profile.text(profile.functions[flat.callee.row()].name) == "b";
    if (is_wall && is_b && flat.caller.is_none()) total_of_b = flat.total;
  }
  EXPECT_EQ(total_of_b, 90'000);
}

// TAU adds samples below a timer without taking their time from it.
TEST(LoadTau, SamplesAreTakenFromTheTimerAroundThem) {
  const Profile profile = load_tau(read_tau(
      "\".TAU application\" 1 0 100 100 0 GROUP=\"TAU_DEFAULT\" \n"
      "\"[CONTEXT] .TAU application\" 6 0 0 60 0 GROUP=\"TAU_SAMPLE_CONTEXT\" \n"
      "\".TAU application => [CONTEXT] .TAU application\" 6 0 0 60 0 GROUP=\"TAU_CALLPATH\" \n"
      "\"[SAMPLE] dot [{/d.c} {7}]\" 6 0 60 60 0 GROUP=\"TAU_SAMPLE\" \n"
      "\".TAU application => [CONTEXT] .TAU application => [SAMPLE] dot [{/d.c} {7}]\" 6 0 60 60 0 "
      "GROUP=\"TAU_SAMPLE|TAU_CALLPATH\" \n"));
  EXPECT_EQ(tree_of(profile), (Rows{".TAU application 40", ".TAU application;dot:7 60"}));
  EXPECT_TRUE(profile.is_sampled);
  const MetricId samples = *profile.find_metric("samples");
  EXPECT_EQ(profile.process_totals[0][samples.row()], 6);
}

TEST(LoadTau, RowsByParameterAreNotCountedTwice) {
  const Profile profile =
      load_tau(read_tau("\"f\" 2 0 58 58 0 GROUP=\"TAU_USER\" \n"
                        "\"f [ <size> = <100> ]\" 1 0 28 28 0 GROUP=\"TAU_PARAM | TAU_USER\" \n"
                        "\"f [ <size> = <200> ]\" 1 0 30 30 0 GROUP=\"TAU_PARAM | TAU_USER\" \n"));
  EXPECT_EQ(tree_of(profile), Rows{"f 58"});
}

TEST(LoadTau, AFolderIsProcessesThreadsAndMetrics) {
  const pyrometer::testing::TemporaryFolder folder;
  const auto write = [&](const std::string& name, const std::string& metric, int value) {
    std::filesystem::create_directories((folder / name).parent_path());
    ASSERT_TRUE(write_file(folder / name,
                           fmt::format("1 templated_functions_MULTI_{}\n# Name\n\"f\" 1 0 {} {} 0 "
                                       "GROUP=\"TAU_USER\" \n0 aggregates\n",
                                       metric, value, value)));
  };
  for (const auto& [metric, factor] : {std::pair("TIME", 1), std::pair("PAPI_TOT_CYC", 100)}) {
    write(fmt::format("MULTI__{}/profile.0.0.0", metric), metric, factor * 1);
    write(fmt::format("MULTI__{}/profile.0.0.1", metric), metric, factor * 2);
    write(fmt::format("MULTI__{}/profile.1.0.0", metric), metric, factor * 4);
  }
  ASSERT_TRUE(write_file(folder / "MULTI__TIME/profile.2.0.0", "1 templated_functions\n# Name\n"));
  const Path paths[] = {folder.path()};
  const auto profile = load_profile(paths, {});
  ASSERT_TRUE(profile) << profile.error().message;
  ASSERT_EQ(profile->processes.size(), 2U);
  EXPECT_EQ(profile->processes[1].rank, 1);
  EXPECT_EQ(profile->threads.size(), 3U);
  const MetricId cycles = *profile->find_metric("PAPI_TOT_CYC");
  EXPECT_EQ(profile->process_totals[0][cycles.row()], 300);
  EXPECT_EQ(profile->process_totals[1][profile->find_metric("wall")->row()], 4'000);
  ASSERT_EQ(profile->notes.size(), 1U);
  EXPECT_NE(profile->notes[0].find("profile.2.0.0': it ends after 0 of 1 functions"),
            std::string::npos)
      << profile->notes[0];
}

TEST(LoadTau, AFolderOfSomethingElseIsRefused) {
  const pyrometer::testing::TemporaryFolder folder;
  const Path paths[] = {folder.path()};
  const auto refused = load_profile(paths, {});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kUsage);
}

TEST(LoadTau, ContextsOfContextsDoNotNest) {
  std::string name;
  for (int i = 0; i < 200'000; ++i) name += "[CONTEXT] ";
  const Profile profile =
      load_tau(read_tau(fmt::format("\"f\" 1 0 10 10 0 GROUP=\"TAU_USER\" \n"
                                    "\"{}f\" 1 0 5 5 0 GROUP=\"TAU_SAMPLE_CONTEXT\" \n",
                                    name)));
  EXPECT_EQ(tree_of(profile), Rows{"f 10"});
}

TEST(LoadTau, MetadataOfAllAreNotRepeatedWithoutEnd) {
  TauProfile tau = read_tau("\"f\" 1 0 10 10 0 GROUP=\"TAU_USER\" \n");
  tau.metadata = {{"Log", std::string(std::size_t{1} << 20, 'x')}};
  const TauThread thread = tau.threads[0];
  for (int node = 1; node < 1000; ++node) tau.threads.emplace_back(thread).place.node = node;
  const Profile profile = load_tau(tau);
  ASSERT_EQ(profile.processes.size(), 1000U);
  EXPECT_EQ(profile.processes[10].attributes.size(), 1U);
  EXPECT_TRUE(profile.processes[100].attributes.empty());
}

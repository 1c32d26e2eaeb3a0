#include "profile/estimated_paths.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>

#include "profile/totals.h"

namespace pyrometer {
namespace {

struct Estimate {
  ProfileBuilder builder;
  ThreadId thread =
      builder.add_thread({.process = builder.add_process({}), .name = builder.string("t")});
  MetricId wall = builder.metric({"wall", Unit::kNanoseconds});
  FlatCallGraph graph;

  void function(const char* name, std::int64_t self, std::int64_t total, bool entered = false) {
    graph.functions.push_back({builder.function({.name = name}), self, total, entered});
  }
  Profile finish(std::size_t most_nodes = 1000) {
    add_estimated_paths(builder, thread, wall, graph, most_nodes);
    return builder.finish();
  }
};

// Self values by path, "main;solve".
std::map<std::string, std::int64_t> by_path(const Profile& profile) {
  std::map<std::string, std::int64_t> values;
  for (std::size_t i = 0; i < profile.nodes.size(); ++i) {
    std::string path;
    for (NodeId node = NodeId::from_index(i); !node.is_none();
         node = profile.nodes[node.row()].parent) {
      path = std::string(profile.text(profile.function_of(node).name)) + (path.empty() ? "" : ";") +
             path;
    }
    values[path] += profile.node_totals[0][i];
  }
  return values;
}

TEST(EstimatedPaths, ExactWhereEveryFunctionHasOneCaller) {
  Estimate e;
  e.function("main", 10, 100);
  e.function("solve", 60, 90);
  e.function("dot", 30, 30);
  e.graph.edges = {{0, 1, 90}, {1, 2, 30}};
  const Profile profile = e.finish();
  EXPECT_EQ(by_path(profile), (std::map<std::string, std::int64_t>{
                                  {"main", 10}, {"main;solve", 60}, {"main;solve;dot", 30}}));
  EXPECT_TRUE(profile.paths_are_estimated);
}

TEST(EstimatedPaths, SharedCalleeIsDividedAsTheEdgesSay) {
  Estimate e;
  e.function("a", 0, 30);
  e.function("b", 0, 10);
  e.function("shared", 40, 40);
  e.graph.edges = {{0, 2, 30}, {1, 2, 10}};
  const auto values = by_path(e.finish());
  EXPECT_EQ(values.at("a;shared"), 30);
  EXPECT_EQ(values.at("b;shared"), 10);
}

TEST(EstimatedPaths, AProgramThatImportsStillHasItsRoot) {
  Estimate e;  // exec runs main, which imports a module, which is run by exec again
  e.function("exec", 1, 100, /*entered=*/true);
  e.function("main", 50, 99);
  e.function("import", 19, 49);
  e.function("module", 30, 30);
  e.graph.edges = {{0, 1, 99}, {1, 2, 49}, {2, 0, 30}, {0, 3, 30}};
  const auto values = by_path(e.finish());
  EXPECT_EQ(values.at("exec"), 1);
  EXPECT_EQ(values.at("exec;main"), 50);
  EXPECT_EQ(values.at("exec;main;import"), 19);
  EXPECT_EQ(values.at("exec;module"), 30);
}

TEST(EstimatedPaths, AFunctionEnteredAndCalledIsDivided) {
  Estimate e;
  e.function("main", 5, 10);
  e.function("worker", 15, 15, /*entered=*/true);
  e.graph.edges = {{0, 1, 5}};
  const auto values = by_path(e.finish());
  EXPECT_EQ(values.at("main;worker"), 5);
  EXPECT_EQ(values.at("worker"), 10);
}

TEST(EstimatedPaths, TheBooksBalanceWhateverTheGraph) {
  Estimate e;  // mutual recursion, self recursion, an island nobody calls
  e.function("main", 7, 100);
  e.function("even", 33, 93);
  e.function("odd", 60, 90);
  e.function("island_a", 5, 9);
  e.function("island_b", 4, 9);
  e.graph.edges = {{0, 1, 93}, {1, 2, 90}, {2, 1, 80}, {1, 1, 3}, {3, 4, 9}, {4, 3, 9}};
  const Profile profile = e.finish();
  std::map<std::string, std::int64_t> by_function;
  for (std::size_t i = 0; i < profile.nodes.size(); ++i) {
    by_function[std::string(profile.text(profile.function_of(NodeId::from_index(i)).name))] +=
        profile.node_totals[0][i];
  }
  EXPECT_EQ(by_function["main"], 7);
  EXPECT_EQ(by_function["even"], 33);
  EXPECT_EQ(by_function["odd"], 60);
  EXPECT_EQ(by_function["island_a"], 5);
  EXPECT_EQ(by_function["island_b"], 4);
}

TEST(EstimatedPaths, NodesAreBoundedAndNothingIsLost) {
  Estimate e;  // 20 layers of two functions that call both of the next: 2^20 paths
  e.function("main", 1'000'000, 41'000'000);
  for (int layer = 0; layer < 20; ++layer) {
    e.function(fmt::format("left{}", layer).c_str(), 1'000'000, 20'000'000 - 1'000'000 * layer);
    e.function(fmt::format("right{}", layer).c_str(), 1'000'000, 20'000'000 - 1'000'000 * layer);
  }
  for (std::uint32_t callee = 1; callee < e.graph.functions.size(); ++callee) {
    const std::uint32_t above = callee <= 2 ? 0 : (callee - 1) / 2 * 2 - 1;
    e.graph.edges.push_back({above, callee, 10});
    if (above != 0) e.graph.edges.push_back({above + 1, callee, 10});
  }
  const Profile profile = e.finish(500);
  EXPECT_LE(profile.nodes.size(), 550U);
  EXPECT_EQ(grand_total(profile, MetricId(0)), 41'000'000);
}

}  // namespace
}  // namespace pyrometer

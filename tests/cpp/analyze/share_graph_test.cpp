#include "analyze/share_graph.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "analyze/prune_graph.h"
#include "support/profile_of_stacks.h"

namespace pyrometer {
namespace {

using testing::profile_of_stacks;

ShareGraph graph_of(const Profile& profile) {
  return make_share_graph(profile, MetricId(0), make_call_graph(profile, MetricId(0)));
}

// "main 100% 10% | main>solve 60% x3": what a picture would show.
std::string describe(const ShareGraph& graph) {
  std::string text;
  for (const GraphNode& node : graph.nodes) {
    text += fmt::format("{} {:g}% {:g}%\n", node.function, 100 * node.first->total_share,
                        100 * node.first->self_share);
  }
  for (const GraphEdge& edge : graph.edges) {
    text += fmt::format("{}>{} {:g}% x{}\n", graph.nodes[edge.caller].function,
                        graph.nodes[edge.callee].function, 100 * edge.first->total_share,
                        edge.first->calls);
  }
  return text;
}

std::string names(const ShareGraph& graph) {
  std::string text;
  for (const GraphNode& node : graph.nodes) text += node.function + " ";
  for (const GraphEdge& edge : graph.edges) {
    text += graph.nodes[edge.caller].function + ">" + graph.nodes[edge.callee].function + " ";
  }
  return text;
}

// main calls a and b, both call shared, a also itself; idle is too light to see.
Profile small_profile() {
  return profile_of_stacks({{"main", 10, 1},
                            {"main;a", 20, 1},
                            {"main;a;a", 10, 1},
                            {"main;a;a;shared", 20, 2},
                            {"main;b", 30, 1},
                            {"main;b;shared", 9, 4},
                            {"main;b;shared;idle", 1, 7}});
}

std::string pruned(const GraphPruning& pruning, PrunedNodes* hidden = nullptr) {
  ShareGraph graph = graph_of(small_profile());
  const auto outcome = prune_graph(graph, pruning);
  if (!outcome) return outcome.error().message;
  if (hidden != nullptr) *hidden = *outcome;
  return names(graph);
}

TEST(ShareGraph, SharesOfTheWholeHeaviestFirst) {
  EXPECT_EQ(describe(graph_of(small_profile())),
            "main 100% 10%\na 50% 30%\nb 40% 30%\nshared 30% 29%\nidle 1% 1%\n"
            "main>a 50% x1\nmain>b 40% x1\na>a 30% x1\na>shared 20% x2\nb>shared 10% x4\n"
            "shared>idle 1% x7\n");
}

TEST(ShareGraph, NamesAreThoseOfGprof2dot) {
  ProfileBuilder builder;
  const ThreadId thread =
      builder.add_thread({.process = builder.add_process({}), .name = builder.string("t")});
  const MetricId wall = builder.metric({"wall", Unit::kNanoseconds});
  const auto add = [&](const ProfileBuilder::FunctionKey& key) {
    builder.values(thread).row(builder.node(NodeId::none(), builder.function(key), 0))[wall] = 1;
  };
  add({.name = "f", .qualified_name = "C.f", .file = "/a/b.c/wave.py", .first_line = 45});
  add({.kind = FunctionKind::kBuiltin, .name = "<built-in method builtins.len>", .file = "~"});
  add({.kind = FunctionKind::kBuiltin, .name = "numpy.dot"});
  add({.kind = FunctionKind::kNative, .name = "dgemm_", .short_file = "lib/libblas.so.3"});
  add({.kind = FunctionKind::kLabel, .name = "waiting for the GIL"});
  std::string names;
  for (const GraphNode& node : graph_of(builder.finish()).nodes) {
    names += node.library + "|" + node.name + "\n";
  }
  EXPECT_EQ(names,
            "libblas.so.3|dgemm_\n|numpy.dot\n|waiting for the GIL\n|wave:45:C.f\n"
            "|~:0:<built-in method builtins.len>\n");
}

TEST(ShareGraph, NothingAtAllIsTheWhole) {
  const Profile profile = profile_of_stacks({{"main", 0, 1}, {"main;f", 0, 2}});
  EXPECT_EQ(describe(graph_of(profile)), "f 100% 100%\nmain 100% 100%\nmain>f 100% x2\n");
}

TEST(ShareGraph, ATotalBeyondTheSumIsTheWhole) {
  // As cProfile has it of coroutines: a total that counts waiting for others twice.
  Profile profile = profile_of_stacks({{"main;solve", 0, 0}});
  profile.flat_values = {
      {ThreadId(0), MetricId(0), FunctionId::none(), FunctionId(0), 10, 80},
      {ThreadId(0), MetricId(0), FunctionId::none(), FunctionId(1), 30, 20},
      {ThreadId(0), MetricId(0), FunctionId(0), FunctionId(1), -5, 100},
  };
  EXPECT_EQ(describe(graph_of(profile)), "main 100% 25%\nsolve 25% 75%\nmain>solve 100% x0\n");
}

TEST(PruneGraph, Thresholds) {
  PrunedNodes hidden;
  EXPECT_EQ(pruned({.least_node_share = 0, .least_edge_share = 0}, &hidden),
            "main a b shared idle main>a main>b a>a a>shared b>shared shared>idle ");
  EXPECT_EQ(hidden.all(), 0);
  EXPECT_EQ(pruned({.least_node_share = 0.3, .least_edge_share = 0.2}, &hidden),
            "main a b shared main>a main>b a>a a>shared ");
  EXPECT_EQ(hidden.too_light, 1);
  EXPECT_EQ(pruned({.least_node_share = 2}), "");
}

TEST(PruneGraph, TheHeaviestOnly) {
  PrunedNodes hidden;
  EXPECT_EQ(pruned({.least_node_share = 0, .most_nodes = 2}, &hidden), "main a main>a a>a ");
  EXPECT_EQ(hidden.too_many, 3);
}

TEST(PruneGraph, RootLeafAndDepth) {
  GraphPruning pruning{.least_node_share = 0, .least_edge_share = 0, .paths = {}};
  pruning.root = "b:*:b";
  EXPECT_EQ(pruned(pruning), "b shared idle b>shared shared>idle ");
  pruning.depth = 1;
  EXPECT_EQ(pruned(pruning), "b shared b>shared ");
  pruning.root = "main";  // by the function's name, as no whole name matches
  pruning.leaf = "[as]";
  EXPECT_EQ(pruned(pruning), "main a main>a a>a ");
  pruning.root = "";
  pruning.depth = 0;
  EXPECT_EQ(pruned(pruning), "a a>a ");
  pruning.leaf = "";
  pruning.depth = 1;  // from where the program began
  EXPECT_EQ(pruned(pruning), "main a b main>a main>b a>a ");
  pruning.root = "nobody*";
  EXPECT_EQ(pruned(pruning).substr(0, 50), "no function in the graph is called 'nobody*'; --li");
}

TEST(PruneGraph, Paths) {
  PrunedNodes hidden;
  EXPECT_EQ(pruned({.paths = {"/home/user/a", "b."}}, &hidden), "a b a>a ");
  EXPECT_EQ(hidden.elsewhere, 3);
}

TEST(PruneGraph, WeightsBySelf) {
  ShareGraph graph = graph_of(small_profile());
  ASSERT_TRUE(prune_graph(graph, {.paths = {}, .weigh_by_self = true}));
  EXPECT_DOUBLE_EQ(graph.nodes[0].weight, 10.0 / 30);
  EXPECT_DOUBLE_EQ(graph.nodes[1].weight, 1);
  EXPECT_DOUBLE_EQ(graph.edges[0].weight, 0.5);  // arrows go on to show totals
}

TEST(PruneGraph, EverybodyCallsEverybody) {
  ShareGraph graph = graph_of(profile_of_stacks({{"a;b;a", 5, 1}, {"b;a", 4, 1}}));
  ASSERT_TRUE(prune_graph(graph, {.paths = {}, .depth = 0}));
  EXPECT_EQ(names(graph), "a ");
}

// ---- comparisons

std::string compared(const ShareGraph& graph) {
  const auto side = [](const std::optional<GraphFigures>& figures) {
    return figures ? fmt::format("{:g}", 100 * figures->total_share) : "-";
  };
  std::string text;
  for (const GraphNode& node : graph.nodes) {
    text += fmt::format("{} {} {}\n", node.function, side(node.first), side(node.second));
  }
  for (const GraphEdge& edge : graph.edges) {
    text += fmt::format("{}>{} {} {}\n", graph.nodes[edge.caller].function,
                        graph.nodes[edge.callee].function, side(edge.first), side(edge.second));
  }
  return text;
}

TEST(CompareGraphs, WhatIsInOneOnlyIsShown) {
  const ShareGraph first =
      graph_of(profile_of_stacks({{"main;old", 40, 1}, {"main;solve", 60, 1}}));
  const ShareGraph second =
      graph_of(profile_of_stacks({{"main;new", 30, 1}, {"main;solve", 20, 1}, {"main", 50, 1}}));
  EXPECT_EQ(compared(compare_graphs(first, second)),
            "main 100 100\nsolve 60 20\nold 40 -\nnew - 30\n"
            "main>solve 60 20\nmain>old 40 -\nmain>new - 30\n");
}

Profile two_of_a_name(std::string_view folder, std::uint32_t first_line,
                      std::uint32_t second_line) {
  ProfileBuilder builder;
  const ThreadId thread =
      builder.add_thread({.process = builder.add_process({}), .name = builder.string("t")});
  const MetricId wall = builder.metric({"wall", Unit::kNanoseconds});
  const std::string file = std::string(folder) + "/x.py";
  int value = 25;
  for (const std::uint32_t line : {first_line, second_line}) {
    const FunctionId function =
        builder.function({.name = "f", .file = file, .short_file = file, .first_line = line});
    builder.values(thread).row(builder.node(NodeId::none(), function, 0))[wall] = value;
    value += 50;
  }
  return builder.finish();
}

TEST(CompareGraphs, EditedAndMovedFunctionsFindTheirPartners) {
  const ShareGraph before = graph_of(two_of_a_name("/old", 10, 20));
  const auto pairs = [&](const Profile& after) {
    return compared(compare_graphs(before, graph_of(after)));
  };
  const std::string same = "f 75 75\nf 25 25\n";
  EXPECT_EQ(pairs(two_of_a_name("/old", 10, 20)), same);
  EXPECT_EQ(pairs(two_of_a_name("/old", 15, 35)), same);
  EXPECT_EQ(pairs(two_of_a_name("/new", 10, 20)), same);
  EXPECT_EQ(pairs(two_of_a_name("/new", 12, 30)), same);
  // A line that stayed is surer than the order of lines.
  EXPECT_EQ(pairs(two_of_a_name("/old", 20, 30)), "f 25 75\nf 75 25\n");
}

}  // namespace
}  // namespace pyrometer

// Focus, filter and fold: what they keep, and that no total is ever lost.
#include <gtest/gtest.h>

#include <map>
#include <random>

#include "analyze/call_graph.h"
#include "analyze/transform_filter.h"
#include "analyze/transform_focus.h"
#include "analyze/transform_fold.h"
#include "analyze/transform_nodes.h"
#include "analyze/view_tree.h"
#include "profile/builder.h"
#include "profile/totals.h"

namespace pyrometer {
namespace {

constexpr std::string_view kUserFile = "/home/user/program.py";
constexpr std::string_view kLibraryFile = "/opt/lib/python3.11/site-packages/tools/timer.py";
constexpr std::string_view kNativeFile = "/usr/lib/libm.so.6";

// "main;timed.<locals>.wrapper;solve": names with "lib." are library code, with ".so" native.
class StackProfile {
 public:
  StackProfile() {
    const ProcessId process = builder_.add_process({.pid = 1});
    for (ThreadId& thread : threads_) thread = builder_.add_thread({.process = process});
  }

  NodeId add(std::string_view path, std::int64_t wall, std::int64_t calls = 1, int thread = 0) {
    NodeId node = NodeId::none();
    while (!path.empty()) {
      const std::size_t end = std::min(path.find(';'), path.size());
      std::string_view name = path.substr(0, end);
      path.remove_prefix(std::min(end + 1, path.size()));
      const std::size_t colon = name.find(':');
      std::uint32_t line = 0;
      if (colon != std::string_view::npos) {
        line = static_cast<std::uint32_t>(std::stoul(std::string(name.substr(colon + 1))));
        name = name.substr(0, colon);
      }
      node = builder_.node(node, function(name), line);
    }
    ValueRows::Row row = builder_.values(threads_[thread]).row(node);
    row[wall_] += wall;
    row[calls_] += calls;
    return node;
  }

  Profile finish() { return builder_.finish(); }

 private:
  FunctionId function(std::string_view name) {
    const bool is_native = name.find(".so") != std::string_view::npos;
    const bool is_library = name.starts_with("lib.");
    return builder_.function({.kind = is_native ? FunctionKind::kNative : FunctionKind::kPython,
                              .name = name.substr(name.rfind('.') + 1),
                              .qualified_name = name,
                              .file = is_native    ? kNativeFile
                                      : is_library ? kLibraryFile
                                                   : kUserFile,
                              .short_file = name,
                              .first_line = 1});
  }

  ProfileBuilder builder_;
  ThreadId threads_[2];
  MetricId wall_ = builder_.metric({"wall", Unit::kNanoseconds});
  MetricId calls_ = builder_.metric({"calls"});
};

// "main>solve 90/95": self and total of every path of functions.
std::map<std::string, std::pair<std::int64_t, std::int64_t>> paths_of(const Profile& profile) {
  std::map<std::string, std::pair<std::int64_t, std::int64_t>> paths;
  const ViewTree tree = make_call_tree(profile, MetricId(0));
  std::vector<std::pair<std::uint32_t, std::string>> open;
  for (const std::uint32_t root : tree.roots) open.emplace_back(root, "");
  while (!open.empty()) {
    const auto [index, above] = open.back();
    open.pop_back();
    const ViewNode& node = tree.nodes[index];
    const Function& function = profile.functions[node.function.row()];
    const std::string path = above + std::string(profile.text(function.qualified_name));
    paths[path] = {node.self, node.total};
    for (const std::uint32_t child : node.children) open.emplace_back(child, path + ">");
  }
  return paths;
}

using Paths = std::map<std::string, std::pair<std::int64_t, std::int64_t>>;

Folded folded(const Profile& profile, const FoldRules& rules = {}) {
  auto result = fold_paths(profile, MetricId(0), rules);
  EXPECT_TRUE(result.has_value());
  EXPECT_TRUE(result->has_value());
  return std::move(**result);
}

TEST(Fold, TimingDecoratorsVanishAndTotalsStay) {
  StackProfile stacks;
  stacks.add("main:3", 100);
  stacks.add("main:4;timed.<locals>.wrapper:8", 5);
  stacks.add("main:4;timed.<locals>.wrapper:9;solve:20", 900);
  stacks.add("main:4;timed.<locals>.wrapper:9;solve:21;timed.<locals>.wrapper:9;dot", 95);
  const Folded result = folded(stacks.finish());
  EXPECT_EQ(result.frames, 2U);
  EXPECT_EQ(result.functions.size(), 1U);
  EXPECT_FALSE(result.is_estimated);
  EXPECT_EQ(
      paths_of(result.profile),
      (Paths{{"main", {105, 1100}}, {"main>solve", {900, 995}}, {"main>solve>dot", {95, 95}}}));
  // The wrapper's own time is at the line that called it.
  std::map<std::uint32_t, std::int64_t> lines;
  for (std::size_t i = 0; i < result.profile.nodes.size(); ++i) {
    if (result.profile.nodes[i].parent.is_none()) {
      lines[result.profile.nodes[i].line] = result.profile.node_totals[0][i];
    }
  }
  EXPECT_EQ(lines, (std::map<std::uint32_t, std::int64_t>{{3, 100}, {4, 5}}));
}

TEST(Fold, CallsOfAWrapperAreNotItsCallers) {
  StackProfile stacks;
  stacks.add("main", 1, 1);
  stacks.add("main;timed.<locals>.wrapper", 0, 7);
  stacks.add("main;timed.<locals>.wrapper;solve", 900, 7);
  const Folded result = folded(stacks.finish());
  const CallGraph graph = make_call_graph(result.profile, MetricId(0));
  ASSERT_EQ(graph.functions.size(), 2U);
  ASSERT_EQ(graph.edges.size(), 1U);
  EXPECT_EQ(graph.functions[0].calls, 1);
  EXPECT_EQ(graph.edges[0].calls, 7);
  EXPECT_EQ(graph.edges[0].total, 900);
}

struct Kept {
  const char* why;
  std::vector<std::pair<const char*, std::int64_t>> stacks;
};

TEST(Fold, WhatIsNoWrapperStays) {
  const Kept cases[] = {
      {"plain user functions", {{"main;run;solve", 100}}},
      {"the module", {{"lib.start;<module>;solve", 100}}},
      {"roots", {{"timed.<locals>.wrapper;solve", 100}}},
      {"own time of one per cent", {{"main;f.<locals>.g", 1}, {"main;f.<locals>.g;solve", 99}}},
      {"two children", {{"main;f.<locals>.g;a", 50}, {"main;f.<locals>.g;b", 50}}},
      {"a child with too little", {{"main;f.<locals>.g;a", 94}, {"main;f.<locals>.g;b", 6}}},
      {"work in native code is a function's own", {{"main;f.<locals>.g;libm.so", 100}}},
      {"the library function that the user called", {{"main;lib.read_csv;lib.parse", 100}}},
      {"a function that calls itself", {{"main;f.<locals>.g;f.<locals>.g", 100}}},
      {"without time there is no evidence", {{"main;f.<locals>.g;a", 0}}},
  };
  for (const Kept& each : cases) {
    StackProfile stacks;
    for (const auto& [path, wall] : each.stacks) stacks.add(path, wall);
    const auto result = fold_paths(stacks.finish(), MetricId(0), {});
    ASSERT_TRUE(result.has_value());
    EXPECT_FALSE(result->has_value()) << each.why;
  }
}

TEST(Fold, LibraryFramesThatPassOn) {
  StackProfile stacks;
  stacks.add("main;lib.invoke;callback", 100);         // back into the user's code
  stacks.add("main;lib.read;lib.open;lib.parse", 50);  // below what the user called
  const Folded result = folded(stacks.finish());
  EXPECT_EQ(paths_of(result.profile), (Paths{{"main", {0, 150}},
                                             {"main>callback", {100, 100}},
                                             {"main>lib.read", {0, 50}},
                                             {"main>lib.read>lib.parse", {50, 50}}}));
}

TEST(Fold, OneDecoratorOfSeveralFunctionsOfOneCaller) {
  StackProfile lines;  // sampled: the lines that called tell them apart
  lines.add("main:3;timed.<locals>.wrapper:9;a", 40, 0);
  lines.add("main:4;timed.<locals>.wrapper:9;b", 60, 0);
  EXPECT_EQ(paths_of(folded(lines.finish()).profile),
            (Paths{{"main", {0, 100}}, {"main>a", {40, 40}}, {"main>b", {60, 60}}}));
  for (const std::int64_t calls : {2, 1}) {  // counted: no more calls made than received
    StackProfile counted;
    counted.add("main;timed.<locals>.wrapper", 0, calls);
    counted.add("main;timed.<locals>.wrapper;a", 40, 1);
    counted.add("main;timed.<locals>.wrapper;b", 60, 1);
    EXPECT_EQ(fold_paths(counted.finish(), MetricId(0), {})->has_value(), calls == 2);
  }
}

TEST(Fold, DecidedForEachPosition) {
  StackProfile stacks;
  stacks.add("main;timed.<locals>.wrapper;slow", 1000);
  stacks.add("other;timed.<locals>.wrapper", 5);
  stacks.add("other;timed.<locals>.wrapper;quick", 10);
  const Folded result = folded(stacks.finish());
  const Paths paths = paths_of(result.profile);
  EXPECT_TRUE(paths.contains("main>slow"));
  EXPECT_TRUE(paths.contains("other>timed.<locals>.wrapper>quick"));
}

TEST(Fold, NamedFunctionsAlways) {
  StackProfile stacks;
  stacks.add("main;helper", 60);
  stacks.add("main;helper;a", 40);
  stacks.add("main;f.<locals>.g;a", 100);
  const Folded result =
      folded(stacks.finish(), {.wrappers = false, .also = {*Pattern::parse("^helper$")}});
  EXPECT_EQ(paths_of(result.profile), (Paths{{"main", {60, 200}},
                                             {"main>a", {40, 40}},
                                             {"main>f.<locals>.g", {0, 100}},
                                             {"main>f.<locals>.g>a", {100, 100}}}));
}

TEST(Focus, OnlyPathsThroughAFunction) {
  StackProfile stacks;
  stacks.add("main", 10);
  stacks.add("main;a;solve", 20);
  stacks.add("main;a;solve;dot", 30);
  stacks.add("main;b", 40);
  stacks.add("main;solve;b;solve", 50);
  const Profile profile = stacks.finish();
  const Pattern solve = *Pattern::parse("^solve$");
  EXPECT_EQ(paths_of(focus_on(profile, {{solve}})), (Paths{{"main", {0, 100}},
                                                           {"main>a", {0, 50}},
                                                           {"main>a>solve", {20, 50}},
                                                           {"main>a>solve>dot", {30, 30}},
                                                           {"main>solve", {0, 50}},
                                                           {"main>solve>b", {0, 50}},
                                                           {"main>solve>b>solve", {50, 50}}}));
  const std::vector<Pattern> both{solve, *Pattern::parse("^dot$")};
  EXPECT_EQ(paths_of(focus_on(profile, both)), (Paths{{"main", {0, 30}},
                                                      {"main>a", {0, 30}},
                                                      {"main>a>solve", {0, 30}},
                                                      {"main>a>solve>dot", {30, 30}}}));
  EXPECT_TRUE(focus_on(profile, {{*Pattern::parse("nothing")}}).nodes.empty());
}

TEST(Filter, WhatIsLeftOutBelongsToItsCaller) {
  StackProfile stacks;
  stacks.add("main", 10);
  stacks.add("main;lib.read;parse", 20);
  stacks.add("main;lib.read", 30);
  const Profile profile = stacks.finish();
  const Profile without = filter_paths(profile, {.drop = {*Pattern::parse("^lib")}});
  EXPECT_EQ(paths_of(without), (Paths{{"main", {40, 60}}, {"main>parse", {20, 20}}}));
  const Profile only = filter_paths(profile, {.keep = {*Pattern::parse("^parse$")}});
  EXPECT_EQ(paths_of(only), (Paths{{"[left out]", {40, 40}}, {"parse", {20, 20}}}));
}

TEST(TransformNodes, SixtyThousandCallsDeep) {
  ProfileBuilder builder;
  const ThreadId thread = builder.add_thread({.process = builder.add_process({})});
  const MetricId wall = builder.metric({"wall", Unit::kNanoseconds});
  const FunctionId functions[] = {builder.function({.name = "f"}), builder.function({.name = "g"})};
  NodeId node = NodeId::none();
  for (int depth = 0; depth < 60'000; ++depth) node = builder.node(node, functions[depth % 2], 1);
  builder.values(thread).row(node)[wall] = 5;
  const Profile profile = builder.finish();
  const Profile filtered = filter_paths(profile, {.drop = {*Pattern::parse("^g$")}});
  EXPECT_EQ(filtered.nodes.size(), 30'000U);
  EXPECT_EQ(grand_total(filtered, wall), 5);
  EXPECT_EQ(grand_total(focus_on(profile, {{*Pattern::parse("g")}}), wall), 5);
}

// ---- properties on random trees

constexpr const char* kNames[] = {"main",     "solve",   "step.<locals>.wrapper",
                                  "<module>", "lib.run", "lib.call.<locals>.inner",
                                  "libm.so",  "dot",     "lib.parse"};

Profile random_profile(std::mt19937& random) {
  const auto pick = [&](int most) {
    return static_cast<int>(random() % static_cast<unsigned>(most));
  };
  StackProfile stacks;
  const int count = 1 + pick(30);
  for (int i = 0; i < count; ++i) {
    std::string path;
    const int depth = 1 + pick(7);
    for (int level = 0; level < depth; ++level) {
      path += (level == 0 ? "" : ";") + std::string(kNames[pick(std::size(kNames))]);
      if (pick(2) == 0) path += ":" + std::to_string(1 + pick(3));
    }
    stacks.add(path, pick(5) == 0 ? pick(3) : pick(1000), pick(4), pick(2));
  }
  return stacks.finish();
}

// Sums of a metric over nodes, over threads' values and over processes agree.
std::int64_t checked_total(const Profile& profile) {
  const std::int64_t total = grand_total(profile, MetricId(0));
  std::int64_t of_threads = 0;
  for (const ThreadCells& cells : profile.thread_cells) {
    for (const Cell& cell : cells[0]) of_threads += cell.value;
  }
  std::int64_t of_processes = 0;
  for (const auto& totals : profile.process_totals) of_processes += totals[0];
  EXPECT_EQ(of_threads, total);
  EXPECT_EQ(of_processes, total);
  for (std::size_t i = 0; i < profile.nodes.size(); ++i) {
    const NodeId parent = profile.nodes[i].parent;
    EXPECT_TRUE(parent.is_none() || parent.row() < i);
  }
  return total;
}

std::int64_t self_of(const Profile& profile, std::string_view name) {
  for (const FunctionCost& cost : make_call_graph(profile, MetricId(0)).functions) {
    const Function& function = profile.functions[cost.function.row()];
    if (profile.text(function.qualified_name) == name) return cost.self;
  }
  return 0;
}

TEST(Transforms, ConserveTotalsOnRandomTrees) {
  std::mt19937 random(6);
  int folds = 0;
  for (int round = 0; round < 500; ++round) {
    const Profile profile = random_profile(random);
    const std::int64_t total = checked_total(profile);

    const auto fold = fold_paths(profile, MetricId(0), {.also = {*Pattern::parse("^dot$")}});
    ASSERT_TRUE(fold.has_value());
    if (*fold) {
      ++folds;
      EXPECT_EQ(checked_total((*fold)->profile), total);
      // What is never folded keeps its place and loses nothing.
      EXPECT_GE(self_of((*fold)->profile, "main"), self_of(profile, "main"));
      EXPECT_EQ(self_of((*fold)->profile, "libm.so") >= self_of(profile, "libm.so"), true);
    }

    const Pattern lib = *Pattern::parse("^lib");
    EXPECT_EQ(checked_total(filter_paths(profile, {.drop = {lib}})), total);
    EXPECT_EQ(checked_total(filter_paths(profile, {.keep = {lib}})), total);

    // Focus keeps exactly the function's total; a second one changes nothing.
    const Pattern solve = *Pattern::parse("^solve$");
    const Profile focused = focus_on(profile, {{solve}});
    std::int64_t expected = 0;
    for (const FunctionCost& cost : make_call_graph(profile, MetricId(0)).functions) {
      const Function& function = profile.functions[cost.function.row()];
      if (profile.text(function.qualified_name) == "solve") expected = cost.total;
    }
    EXPECT_EQ(checked_total(focused), expected);
    EXPECT_EQ(paths_of(focus_on(focused, {{solve}})), paths_of(focused));
  }
  EXPECT_GT(folds, 100);
}

}  // namespace
}  // namespace pyrometer

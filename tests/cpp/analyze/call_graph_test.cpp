#include "analyze/call_graph.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>

#include "analyze/thread_call_graph.h"
#include "profile/totals.h"
#include "support/profile_of_stacks.h"

namespace pyrometer {
namespace {

using testing::profile_of_stacks;

std::map<std::string, CallCost> functions_of(const Profile& profile) {
  std::map<std::string, CallCost> named;
  for (const FunctionCost& cost : make_call_graph(profile, MetricId(0)).functions) {
    named[std::string(profile.text(profile.functions[cost.function.row()].name))] = cost;
  }
  return named;
}

std::map<std::string, CallCost> edges_of(const Profile& profile) {
  std::map<std::string, CallCost> named;
  for (const CallEdge& edge : make_call_graph(profile, MetricId(0)).edges) {
    named[fmt::format("{}->{}", profile.text(profile.functions[edge.caller.row()].name),
                      profile.text(profile.functions[edge.callee.row()].name))] = edge;
  }
  return named;
}

TEST(CallGraph, SelfAndTotal) {
  const Profile profile =
      profile_of_stacks({{"main:1", 10, 1}, {"main:1;solve:2", 60, 3}, {"main:2;dot", 30, 5}});
  auto functions = functions_of(profile);
  EXPECT_EQ(functions["main"].self, 10);
  EXPECT_EQ(functions["main"].total, 100);
  EXPECT_EQ(functions["solve"].calls, 3);
  EXPECT_EQ(edges_of(profile)["main->dot"].total, 30);
}

TEST(CallGraph, RecursionCountsOnlyOnce) {
  // fib calls itself twice deep: total is the outermost, primitive calls are the outer ones.
  const Profile profile = profile_of_stacks(
      {{"main", 0, 1}, {"main;fib", 10, 1}, {"main;fib;fib", 20, 2}, {"main;fib;fib;fib", 30, 4}});
  auto functions = functions_of(profile);
  EXPECT_EQ(functions["fib"].self, 60);
  EXPECT_EQ(functions["fib"].total, 60);
  EXPECT_EQ(functions["fib"].calls, 7);
  EXPECT_EQ(functions["fib"].primitive_calls, 1);
  auto edges = edges_of(profile);
  EXPECT_EQ(edges["fib->fib"].total, 50);  // the outermost edge only
  EXPECT_EQ(edges["fib->fib"].calls, 6);
  EXPECT_EQ(edges["fib->fib"].primitive_calls, 2);
  EXPECT_EQ(edges["main->fib"].total, 60);
}

TEST(CallGraph, MutualRecursionNeverExceedsTheWhole) {
  std::string path = "main";
  std::vector<testing::Stack> stacks;
  for (int depth = 0; depth < 50; ++depth) {
    path += depth % 2 == 0 ? ";even" : ";odd";
    stacks.push_back({path, 1, 1});
  }
  const Profile profile = profile_of_stacks(stacks);
  const std::int64_t whole = grand_total(profile, MetricId(0));
  for (const auto& [name, cost] : functions_of(profile)) EXPECT_LE(cost.total, whole) << name;
  EXPECT_EQ(functions_of(profile)["even"].total, 50);
  EXPECT_EQ(functions_of(profile)["odd"].total, 49);
}

TEST(CallGraph, SixtyThousandCallsDeep) {
  ProfileBuilder builder;
  const ThreadId thread =
      builder.add_thread({.process = builder.add_process({}), .name = builder.string("t")});
  const MetricId wall = builder.metric({"wall", Unit::kNanoseconds});
  const FunctionId function = builder.function({.name = "f"});
  NodeId node = NodeId::none();
  for (int depth = 0; depth < 60'000; ++depth) node = builder.node(node, function, 1);
  builder.values(thread).row(node)[wall] = 5;
  const Profile profile = builder.finish();
  EXPECT_EQ(functions_of(profile)["f"].total, 5);
}

TEST(CallGraph, FlatValuesOfAThreadStandInForItsTree) {
  Profile profile = profile_of_stacks({{"main;solve", 100, 7}});
  profile.flat_values = {
      {ThreadId(0), MetricId(0), FunctionId::none(), FunctionId(1), 90, 95},
      {ThreadId(0), MetricId(1), FunctionId::none(), FunctionId(1), 8, 8},
      {ThreadId(0), MetricId(0), FunctionId(0), FunctionId(1), 80, 85},
  };
  auto functions = functions_of(profile);
  EXPECT_EQ(functions["solve"].self, 90);
  EXPECT_EQ(functions["solve"].total, 95);
  EXPECT_EQ(functions["solve"].calls, 8);
  EXPECT_EQ(edges_of(profile)["main->solve"].total, 85);
}

TEST(CallGraph, OfSomeThreadsOnly) {
  Profile profile = profile_of_stacks({{"main", 10, 1}, {"main;solve", 60, 3}});
  // A second thread with a tree of its own and a third that has flat values.
  profile.threads.resize(3, profile.threads[0]);
  profile.thread_cells.resize(3, ThreadCells(profile.metrics.size()));
  profile.thread_cells[1][0] = {{NodeId(1), 5}};
  profile.thread_cells[2][0] = {{NodeId(0), 999}};
  profile.flat_values = {{ThreadId(2), MetricId(0), FunctionId::none(), FunctionId(0), 7, 8}};
  const auto totals = [&](const std::vector<bool>& threads) {
    std::string text;
    for (const FunctionCost& cost : make_call_graph(profile, MetricId(0), threads).functions) {
      text += fmt::format("{} {} {} ", cost.function.row(), cost.self, cost.total);
    }
    return text;
  };
  EXPECT_EQ(totals({true, false, false}), "0 10 70 1 60 60 ");
  EXPECT_EQ(totals({false, true, false}), "0 0 5 1 5 5 ");
  EXPECT_EQ(totals({false, true, true}), "0 7 13 1 5 5 ");
  EXPECT_EQ(totals({false, false, false}), "");
}

}  // namespace
}  // namespace pyrometer

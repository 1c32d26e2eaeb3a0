// Folding in profiles that have call edges but no paths.
#include <gtest/gtest.h>

#include <map>
#include <random>

#include "analyze/call_graph.h"
#include "analyze/transform_fold.h"
#include "profile/builder.h"
#include "profile/totals.h"

namespace pyrometer {
namespace {

// Built as the loader of cProfile's files does.
class FlatProfile {
 public:
  void function(std::string_view name, std::int64_t self, std::int64_t total,
                std::int64_t calls = 1) {
    add(FunctionId::none(), id(name), self, total, calls);
  }
  void edge(std::string_view caller, std::string_view callee, std::int64_t self, std::int64_t total,
            std::int64_t calls = 1) {
    add(id(caller), id(callee), self, total, calls);
  }
  Profile finish() {
    builder_.profile().paths_are_estimated = true;
    return builder_.finish();
  }

 private:
  FunctionId id(std::string_view name) {
    return builder_.function({.name = name, .qualified_name = name, .short_file = "a.py"});
  }
  void add(FunctionId caller, FunctionId callee, std::int64_t self, std::int64_t total,
           std::int64_t calls) {
    builder_.add_flat({thread_, wall_, caller, callee, self, total});
    builder_.add_flat({thread_, calls_, caller, callee, calls, calls});
  }

  ProfileBuilder builder_;
  ThreadId thread_ =
      builder_.add_thread({.process = builder_.add_process({}), .name = builder_.string("main")});
  MetricId wall_ = builder_.metric({"wall", Unit::kNanoseconds});
  MetricId calls_ = builder_.metric({"calls"});
};

Folded folded(const Profile& profile, const char* pattern) {
  auto result = fold_paths(profile, MetricId(0), {.also = {*Pattern::parse(pattern)}});
  EXPECT_TRUE(result.has_value());
  EXPECT_TRUE(result->has_value());
  return std::move(**result);
}

std::string name_of(const Profile& profile, FunctionId id) {
  return std::string(profile.text(profile.functions[id.row()].name));
}

std::map<std::string, CallCost> edges_of(const Profile& profile) {
  std::map<std::string, CallCost> edges;
  for (const CallEdge& edge : make_call_graph(profile, MetricId(0)).edges) {
    edges[name_of(profile, edge.caller) + ">" + name_of(profile, edge.callee)] = edge;
  }
  return edges;
}

std::map<std::string, CallCost> functions_of(const Profile& profile) {
  std::map<std::string, CallCost> functions;
  for (const FunctionCost& cost : make_call_graph(profile, MetricId(0)).functions) {
    functions[name_of(profile, cost.function)] = cost;
  }
  return functions;
}

TEST(FoldFlat, OneWrapperAroundEverything) {
  FlatProfile flat;  // main -> wrapper -> f, g; f -> wrapper -> g
  flat.function("main", 10, 1000);
  flat.function("wrapper", 30, 990, 3);
  flat.edge("main", "wrapper", 20, 990, 2);
  flat.edge("f", "wrapper", 10, 330, 1);
  flat.function("f", 360, 690);
  flat.edge("wrapper", "f", 360, 690);
  flat.function("g", 600, 600, 2);
  flat.edge("wrapper", "g", 600, 600, 2);
  const Folded result = folded(flat.finish(), "^wrapper$");
  EXPECT_TRUE(result.is_estimated);
  EXPECT_EQ(result.frames, 1U);
  auto functions = functions_of(result.profile);
  EXPECT_FALSE(functions.contains("wrapper"));
  // Callers took 990 and 330 of it: three quarters and one.
  EXPECT_EQ(functions["main"].self, 10 + 23);
  EXPECT_EQ(functions["f"].self, 360 + 7);
  EXPECT_EQ(functions["main"].calls, 1);
  auto edges = edges_of(result.profile);
  EXPECT_EQ(edges["main>g"].total, 450);
  EXPECT_EQ(edges["f>g"].total, 150);
  EXPECT_EQ(edges["main>g"].calls + edges["f>g"].calls, 2);
  for (const auto& [name, cost] : edges) EXPECT_EQ(name.find("wrapper"), std::string::npos);
  EXPECT_EQ(grand_total(result.profile, MetricId(0)), 10 + 30 + 360 + 600);
  EXPECT_TRUE(result.profile.paths_are_estimated);
}

TEST(FoldFlat, RootsAndUnknownNamesStay) {
  FlatProfile flat;
  flat.function("main", 10, 20);
  flat.function("f", 10, 10);
  flat.edge("main", "f", 10, 10);
  const Profile profile = flat.finish();
  for (const char* pattern : {"^main$", "nothing"}) {
    const auto result = fold_paths(profile, MetricId(0), {.also = {*Pattern::parse(pattern)}});
    ASSERT_TRUE(result.has_value());
    EXPECT_FALSE(result->has_value()) << pattern;
  }
  EXPECT_FALSE(fold_paths(profile, MetricId(0), {})->has_value()) << "no paths, no wrappers";
}

TEST(FoldFlat, TooManyPairsAreRefused) {
  FlatProfile flat;
  flat.function("wrapper", 0, 3000, 3000);
  for (int i = 0; i < 1100; ++i) {
    flat.function("f" + std::to_string(i), 1, 1);
    flat.edge("f" + std::to_string(i), "wrapper", 0, 1);
    flat.edge("wrapper", "f" + std::to_string(i), 1, 1);
  }
  const auto result =
      fold_paths(flat.finish(), MetricId(0), {.also = {*Pattern::parse("^wrapper$")}});
  ASSERT_FALSE(result.has_value());
  EXPECT_EQ(result.error().code, ErrorCode::kTooLarge);
  EXPECT_NE(result.error().message.find("1100 callers"), std::string::npos);
}

TEST(FoldFlat, OwnTimesAddUpOnRandomGraphs) {
  std::mt19937 random(7);
  for (int round = 0; round < 200; ++round) {
    FlatProfile flat;
    std::int64_t total = 0;
    const unsigned count = 2 + static_cast<unsigned>(random()) % 12;
    for (unsigned f = 0; f < count; ++f) {
      const std::int64_t self = random() % 1000;
      total += self;
      flat.function("f" + std::to_string(f), self, self + random() % 1000, 1 + random() % 9);
      for (unsigned caller = 0; caller < count; ++caller) {
        if (random() % 3 != 0) continue;
        flat.edge("f" + std::to_string(caller), "f" + std::to_string(f), random() % 100,
                  random() % 300, random() % 5);
      }
    }
    const auto result =
        fold_paths(flat.finish(), MetricId(0), {.also = {*Pattern::parse("^f[0-4]$")}});
    ASSERT_TRUE(result.has_value());
    if (!*result) continue;
    const Profile& profile = (*result)->profile;
    std::int64_t of_functions = 0;
    for (const auto& [name, cost] : functions_of(profile)) of_functions += cost.self;
    EXPECT_EQ(of_functions, total);
    EXPECT_EQ(grand_total(profile, MetricId(0)), total);
  }
}

}  // namespace
}  // namespace pyrometer

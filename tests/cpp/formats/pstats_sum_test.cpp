#include "formats/pstats_sum.h"

#include <gtest/gtest.h>

namespace pyrometer {
namespace {

PstatsFunction function(std::string file, std::string name, PstatsCost cost,
                        std::vector<PstatsCaller> callers = {}) {
  return {.file = std::move(file),
          .line = 1,
          .name = std::move(name),
          .cost = cost,
          .callers = std::move(callers)};
}

TEST(PstatsSum, AddsFunctionsAndCallersByLabel) {
  PstatsFile first;
  first.functions = {function("a.py", "f", {2, 1, 0.1, 0.5}),
                     function("a.py", "g", {1, 1, 0.2, 0.2}, {{0, {1, 1, 0.2, 0.2}}})};
  PstatsFile second;
  second.functions = {function("b.py", "h", {1, 1, 0.3, 0.3}),
                      function("a.py", "g", {3, 2, 0.4, 0.4}, {{0, {2, 1, 0.3, 0.3}}, {2, {}}}),
                      function("a.py", "f", {5, 5, 0.5, 0.5})};
  PstatsSummer summer;
  summer.add(first);
  summer.add(second);
  const PstatsSum sum = summer.finish();
  ASSERT_EQ(sum.file.functions.size(), 3U);
  EXPECT_EQ(sum.file.functions[0].cost, (PstatsCost{7, 6, 0.6, 1.0}));
  EXPECT_EQ(sum.file.functions[1].cost, (PstatsCost{4, 3, 0.2 + 0.4, 0.2 + 0.4}));
  EXPECT_EQ(sum.file.functions[1].callers,
            (std::vector<PstatsCaller>{{0, {1, 1, 0.2, 0.2}}, {2, {2, 1, 0.3, 0.3}}}));
  EXPECT_EQ(sum.file.functions[2].name, "h");
  EXPECT_EQ(sum.totals.calls, 12);
  EXPECT_EQ(sum.totals.primitive_calls, 10);
  // File by file, as pstats adds: the last digit depends on it.
  EXPECT_EQ(sum.totals.self_seconds, (0.1 + 0.2) + ((0.3 + 0.4) + 0.5));
}

TEST(PstatsSum, TheFirstFileDecidesWhetherItIsSampled) {
  PstatsSummer summer;
  summer.add({.functions = {function("a", "f", {})}, .sampled = true});
  summer.add({.functions = {function("a", "f", {})}});
  EXPECT_TRUE(summer.finish().file.sampled);
}

TEST(PstatsSum, CallersWithoutAnEntryStayUnlisted) {
  PstatsFile file;
  file.functions = {function("a.py", "f", {1, 1, 1, 1}, {{1, {1, 1, 1, 1}}}),
                    function("a.py", "g", {})};
  file.functions[1].has_entry = false;
  PstatsSummer summer;
  summer.add(file);
  EXPECT_EQ(summer.finish().file, file);
}

TEST(StripDirectories, SumsFunctionsButTheLastCallerWins) {
  PstatsFile file;
  file.functions = {function("/x/a.py", "f", {1, 1, 1, 1}), function("/y/a.py", "f", {2, 2, 2, 2}),
                    function("b.py", "g", {3, 3, 3, 3}, {{0, {1, 1, 1, 1}}, {1, {2, 2, 2, 2}}}),
                    function("/x/b.py", "g", {1, 1, 1, 1}, {{0, {1, 1, 1, 1}}}),
                    function("~", "<len>", {})};
  const PstatsFile stripped = strip_directories(file);
  ASSERT_EQ(stripped.functions.size(), 3U);
  EXPECT_EQ(stripped.functions[0].file, "a.py");
  EXPECT_EQ(stripped.functions[0].cost.calls, 3);
  EXPECT_EQ(stripped.functions[1].cost.calls, 4);
  // Of g's two callers the second replaced the first, then the other g's were added.
  EXPECT_EQ(stripped.functions[1].callers, (std::vector<PstatsCaller>{{0, {3, 3, 3, 3}}}));
  EXPECT_EQ(stripped.functions[2].file, "~");
}

}  // namespace
}  // namespace pyrometer

#include "report/pstats_text.h"

#include <gtest/gtest.h>

namespace pyrometer {
namespace {

PstatsSum example() {
  PstatsFile file;
  file.functions = {
      {.file = "/x/a.py", .line = 3, .name = "fact", .cost = {4, 1, 0.25, 0.5}},
      {.file = "~", .line = 0, .name = "<built-in method builtins.len>", .cost = {1, 1, 2, 2}},
      {.file = "/x/a.py", .line = 9, .name = "größe", .cost = {0, 0, 0, 0.1254}},
  };
  file.functions[0].callers = {{0, {3, 1, 0.2, 0.25}}, {2, {1, 1, 0.05, 0.5}}};
  PstatsSummer summer;
  summer.add(file);
  return summer.finish();
}

PstatsSelection selection(const std::vector<std::string>& keys,
                          const std::vector<std::string>& restrictions = {}) {
  PstatsSelection selected{.order = *parse_sort_order(keys)};
  for (const std::string& text : restrictions) {
    selected.restrictions.push_back(*Restriction::parse(text));
  }
  return selected;
}

TEST(PstatsText, Functions) {
  EXPECT_EQ(
      *pstats_functions_text({"Sun Nov 15 15:29:51 2026    a.prof"}, example(), selection({})),
      "Sun Nov 15 15:29:51 2026    a.prof\n"
      "\n"
      "         5 function calls (2 primitive calls) in 2.250 seconds\n"
      "\n"
      "   Random listing order was used\n"
      "\n"
      "   ncalls  tottime  percall  cumtime  percall filename:lineno(function)\n"
      "      4/1    0.250    0.062    0.500    0.500 /x/a.py:3(fact)\n"
      "        1    2.000    2.000    2.000    2.000 {built-in method builtins.len}\n"
      "        0    0.000             0.125          /x/a.py:9(größe)\n"
      "\n"
      "\n");
}

TEST(PstatsText, SortedAndRestricted) {
  EXPECT_EQ(*pstats_functions_text({}, example(), selection({"time", "name"}, {"a.py", "[", "1"})),
            "         5 function calls (2 primitive calls) in 2.250 seconds\n"
            "\n"
            "   Ordered by: internal time, function name\n"
            "   List reduced from 3 to 2 due to restriction <'a.py'>\n"
            "   <Invalid regular expression '['>\n"
            "   List reduced from 2 to 1 due to restriction <1>\n"
            "\n"
            "   ncalls  tottime  percall  cumtime  percall filename:lineno(function)\n"
            "      4/1    0.250    0.062    0.500    0.500 /x/a.py:3(fact)\n"
            "\n"
            "\n");
}

TEST(PstatsText, NothingLeft) {
  EXPECT_EQ(*pstats_functions_text({}, example(), selection({"time"}, {"luck"})),
            "         5 function calls (2 primitive calls) in 2.250 seconds\n\n");
  EXPECT_EQ(*pstats_callers_text(example().file, selection({}, {"luck"})), "");
}

TEST(PstatsText, CallersAndCallees) {
  EXPECT_EQ(*pstats_callers_text(example().file, selection({}, {"a.py"})),
            "   Random listing order was used\n"
            "   List reduced from 3 to 2 due to restriction <'a.py'>\n"
            "\n"
            "Function          was called by...\n"
            "                      ncalls  tottime  cumtime\n"
            "/x/a.py:3(fact)   <-     3/1    0.200    0.250  /x/a.py:3(fact)\n"
            "                           1    0.050    0.500  /x/a.py:9(größe)\n"
            "/x/a.py:9(größe)  <- \n"
            "\n"
            "\n");
  EXPECT_EQ(*pstats_callees_text(example().file, selection({"calls"}, {"a.py"})),
            "   Ordered by: call count\n"
            "   List reduced from 3 to 2 due to restriction <'a.py'>\n"
            "\n"
            "Function          called...\n"
            "                      ncalls  tottime  cumtime\n"
            "/x/a.py:3(fact)   ->     3/1    0.200    0.250  /x/a.py:3(fact)\n"
            "/x/a.py:9(größe)  ->       1    0.050    0.500  /x/a.py:3(fact)\n"
            "\n"
            "\n");
}

TEST(PstatsText, NamesOfMegabytesEndInAnError) {
  PstatsFile file;
  file.functions = {{.file = "a.py", .line = 1, .name = std::string(1U << 20, 'x')}};
  for (std::int32_t line = 2; line < 1000; ++line) {
    file.functions.push_back({.file = "a.py", .line = line, .name = "f", .callers = {{0}}});
  }
  const auto text = pstats_callers_text(file, selection({}));
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().code, ErrorCode::kTooLarge);
  EXPECT_TRUE(pstats_callers_text(file, selection({}, {"2"})));
}

TEST(PstatsText, NothingReachesTheTerminalRaw) {
  PstatsSum sum = example();
  sum.file.functions[0].name = "\x1b[31m";
  const std::string text = *pstats_functions_text({"\x1b.prof"}, sum, selection({}));
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  EXPECT_NE(text.find("/x/a.py:3(\\x1b[31m)\n"), std::string::npos) << text;
}

}  // namespace
}  // namespace pyrometer

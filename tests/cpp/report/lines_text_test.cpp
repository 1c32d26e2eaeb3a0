#include "report/lines_text.h"

#include <gtest/gtest.h>

using namespace pyrometer;

namespace {

const std::vector<std::string> kSource = {"def f(n):", "    total = add(", "        n,",
                                          "        n)", "    return total"};

std::optional<std::vector<std::string>> source_of(const std::string& file) {
  if (file == "a.py") return kSource;
  return std::nullopt;
}

FunctionLinesTable small_table() {
  FunctionLinesTable table;
  table.functions.push_back(
      {.file = "a.py",
       .first_line = 1,
       .name = "f",
       .lines = {{.line = 2, .hits = 20, .time = 3'000'000, .self = 2'000'000},
                 {.line = 3, .hits = 10, .time = 1'000'000, .self = 1'000'000},
                 {.line = 4, .hits = 10, .time = 500'000, .self = 500'000},
                 {.line = 5, .hits = 10, .time = 500'000, .self = 500'000}}});
  return table;
}

}  // namespace

TEST(LinesText, LayoutOfLineProfiler) {
  const auto text = lines_text(small_table(), {.summarize = true}, source_of);
  ASSERT_TRUE(text);
  EXPECT_EQ(*text,
            "Timer unit: 1e-06 s\n"
            "\n"
            "Total time: 0.005 s\n"
            "File: a.py\n"
            "Function: f at line 1\n"
            "\n"
            "Line #      Hits         Time  Per Hit   % Time  Line Contents\n"
            "==============================================================\n"
            "     1                                           def f(n):\n"
            "     2        20       3000.0    150.0     60.0      total = add(\n"
            "     3        10       1000.0    100.0     20.0          n,\n"
            "     4        10        500.0     50.0     10.0          n)\n"
            "     5        10        500.0     50.0     10.0      return total\n"
            "\n"
            "  0.01 seconds - a.py:1 - f\n");
}

TEST(LinesText, StatementsAreCountedOnce) {
  const auto text =
      lines_text(small_table(), {.statements = true, .columns = {LineColumn::kSelf}}, source_of);
  ASSERT_TRUE(text);
  const std::string row =
      "     2        10       4500.0    450.0     90.0       3500.0      total = add(\n"
      "     3                                                                n,\n";
  EXPECT_NE(text->find(row), std::string::npos) << *text;
}

TEST(LinesText, StatementsThatBranchHaveTheHitsOfTheirFirstLine) {
  FunctionLines function = small_table().functions[0];
  function.lines[1].hits = 7;
  EXPECT_EQ(merge_statements(function, kSource).lines[0].hits, 20);
}

TEST(LinesText, WithoutTheSource) {
  FunctionLinesTable table = small_table();
  table.functions[0].file = "missing.py";
  const auto text = lines_text(table, {}, source_of);
  ASSERT_TRUE(text);
  EXPECT_NE(text->find("Total time: 0.005 s\n\nCould not find file missing.py\n"),
            std::string::npos);
  EXPECT_NE(text->find("     5        10        500.0     50.0     10.0  \n\n"), std::string::npos);
}

TEST(LinesText, LinesFarAwayMakeNoMillionsOfRows) {
  FunctionLinesTable table = small_table();
  table.functions[0].file = "missing.py";
  table.functions[0].lines.push_back({.line = 2'000'000'000, .hits = 1, .time = 1});
  const auto text = lines_text(table, {}, source_of);
  ASSERT_TRUE(text);
  EXPECT_LT(text->size(), 1'000'000U);
  EXPECT_NE(text->find("\n2000000000         1"), std::string::npos);
}

TEST(LinesText, MeasuredLinesBehindTheBlockAreShown) {
  FunctionLinesTable table = small_table();
  table.functions[0].lines.push_back({.line = 9, .hits = 3, .time = 1});
  const auto text = lines_text(table, {}, source_of);
  ASSERT_TRUE(text);
  EXPECT_NE(text->find("\n     9         3 "), std::string::npos) << *text;
}

TEST(LinesText, HowAFunctionWasMeasured) {
  FunctionLinesTable table = small_table();
  table.functions[0].engine = "events";
  table.functions[0].reason = "it was already running";
  const auto text = lines_text(table, {}, source_of);
  ASSERT_TRUE(text);
  EXPECT_NE(text->find("at line 1\nMeasured by events: it was already running\n\nLine #"),
            std::string::npos)
      << *text;
}

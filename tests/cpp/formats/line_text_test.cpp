#include "formats/line_text.h"

#include <gtest/gtest.h>

using namespace pyrometer;

namespace {

constexpr const char* kTable =
    "step 1 of 2\n"
    "Timer unit: 1e-06 s\n"
    "\n"
    "Total time: 0.00234 s\n"
    "File: wave.py\n"
    "Function: Grid.step at line 3\n"
    "\n"
    "Line #      Hits         Time  Per Hit   % Time  Line Contents\n"
    "==============================================================\n"
    "     3                                               @profile\n"
    "     4                                               def step(self):\n"
    "     5        10       2300.0    230.0     98.3          for x in y:\n"
    "     6                                           \n"
    "     7         1         40.4     40.4      1.7          return 12\n"
    "\n"
    "done\n";

using Rows = std::vector<LineTextRow>;

}  // namespace

TEST(LineProfilerText, RowsAndSourceAmongOtherOutput) {
  const auto functions = read_line_profiler_text(kTable).value();
  ASSERT_EQ(functions.size(), 1U);
  EXPECT_EQ(functions[0].file, "wave.py");
  EXPECT_EQ(functions[0].name, "Grid.step");
  EXPECT_EQ(functions[0].first_line, 3U);
  EXPECT_EQ(functions[0].rows, (Rows{{5, 10, 2'300'000}, {7, 1, 40'400}}));
  EXPECT_EQ(functions[0].source, (SourceRows{{3, "    @profile"},
                                             {4, "    def step(self):"},
                                             {5, "        for x in y:"},
                                             {7, "        return 12"}}));
  EXPECT_TRUE(has_line_profiler_table(kTable));
  EXPECT_FALSE(has_memory_profiler_table(kTable));
}

// Times of a table in seconds have one digit behind the point: the total knows more.
TEST(LineProfilerText, SumsEqualThePrintedTotal) {
  const std::string text =
      "Timer unit: 1 s\n\nTotal time: 2.43211 s\nFile: a.py\nFunction: f at line 1\n\n"
      "Line #      Hits         Time  Per Hit   % Time  Line Contents\n"
      "==============================================================\n"
      "     2         1          2.1      2.1     87.5      slow()\n"
      "     3         1          0.3      0.3     12.5      quick()\n";
  const auto functions = read_line_profiler_text(text).value();
  EXPECT_EQ(functions[0].rows, (Rows{{2, 1, 2'132'110'000}, {3, 1, 300'000'000}}));
}

TEST(LineProfilerText, WhatRoundingDoesNotExplainStays) {
  const std::string text =
      "Timer unit: 1e-06 s\n\nTotal time: 5 s\nFile: a.py\nFunction: f at line 1\n\n"
      "Line #      Hits         Time  Per Hit   % Time  Line Contents\n"
      "==============================================================\n"
      "     2         1         10.0     10.0      0.0      cut_off()\n";
  EXPECT_EQ(read_line_profiler_text(text).value()[0].rows, (Rows{{2, 1, 10'000}}));
}

TEST(LineProfilerText, NumbersWiderThanTheirColumns) {
  const std::string text =
      "Timer unit: 1e-09 s\n\nFile: a.py\nFunction: f at line 1\n\n"
      "Line #      Hits         Time  Per Hit   % Time  Line Contents\n"
      "==============================================================\n"
      "     2 1234567890 123456789012.0    100.0     50.0      1 + 1\n"
      "     3         1     1.23e+11  1.2e+11     50.0      f(2)\n"
      "     4         1          0.0      0.0           g(3)\n";
  const auto functions = read_line_profiler_text(text).value();
  EXPECT_EQ(functions[0].rows,
            (Rows{{2, 1'234'567'890, 123'456'789'012}, {3, 1, 123'000'000'000}, {4, 1, 0}}));
  EXPECT_EQ(functions[0].source[0].second, "    1 + 1");
}

TEST(LineProfilerText, SeveralUnitsGapsColoursAndMissingSources) {
  const std::string text =
      "Timer unit: 0.001 s\r\n\r\nTotal time: 0.5 s\r\n\r\nCould not find file /gone/b.py\r\n"
      "Are you sure you are running this program from the same directory\r\n"
      "that you ran the profiler from?\r\n"
      "Continuing without the function's contents.\r\n\r\n"
      "Line #      Hits         Time  Per Hit   % Time  Line Contents\r\n"
      "==============================================================\r\n"
      "     8\r\n"
      "\x1b[36m     9         2        500.0    250.0    100.0  \x1b[0m\r\n"
      "\r\nTimer unit: 1 s\r\nTotal time: 3 s\r\nFile: c.py\r\nFunction: <lambda> at line 7\r\n\r\n"
      "Line #      Hits         Time  Per Hit   % Time  Line Contents\r\n"
      "==============================================================\r\n"
      "     7         1          1.0      1.0     33.3  f = lambda: 0\r\n"
      "[...]\r\n"
      "    90         1          2.0      2.0     66.7  x\r\n";
  const auto functions = read_line_profiler_text(text).value();
  ASSERT_EQ(functions.size(), 2U);
  EXPECT_EQ(functions[0].file, "/gone/b.py");
  EXPECT_EQ(functions[0].name, "");
  EXPECT_EQ(functions[0].first_line, 8U);
  EXPECT_EQ(functions[0].rows, (Rows{{9, 2, 500'000'000}}));
  EXPECT_EQ(functions[1].name, "<lambda>");
  EXPECT_EQ(functions[1].rows, (Rows{{7, 1, 1'000'000'000}, {90, 1, 2'000'000'000}}));
}

TEST(LineProfilerText, ColumnsOfPyrometerLines) {
  const std::string text =
      "Timer unit: 1e-06 s\n\nTotal time: 7e-06 s\nFile: a.py\nFunction: f at line 1\n\n"
      "Line #      Hits         Time  Per Hit   % Time         Self % Python  Line Contents\n"
      "====================================================================================\n"
      "     2         1          7.0      7.0    100.0          1.0     10.0      g()\n";
  EXPECT_EQ(read_line_profiler_text(text).value()[0].rows, (Rows{{2, 1, 7'000}}));
}

TEST(LineProfilerText, OtherTextsAreNone) {
  for (const char* text :
       {"", "Timer unit: 1e-06 s\n", "Line #\n====\n",
        "Line #      Hits         Time  Per Hit   % Time  Line Contents\nno ruler\n",
        "Line #   Samples         Time   % Time  Line Contents\n=======================\n"}) {
    EXPECT_FALSE(read_line_profiler_text(text)) << text;
    EXPECT_FALSE(has_line_profiler_table(text)) << text;
  }
}

TEST(MemoryProfilerText, LevelsIncrementsAndOccurrences) {
  const std::string text =
      "Filename: ex.py\n\n"
      "Line #    Mem usage    Increment  Occurrences   Line Contents\n"
      "=============================================================\n"
      "     2   34.500 MiB   34.500 MiB           1   @profile\n"
      "     3                                         async def my_func(a):\n"
      "     4  104857.000 MiB  152.500 MiB           3       b = [2] * 7\n"
      "     5   35.000 MiB   -1.000 MiB           1       del b\n\n\n";
  const auto functions = read_memory_profiler_text(text).value();
  ASSERT_EQ(functions.size(), 1U);
  EXPECT_EQ(functions[0].name, "my_func");
  EXPECT_EQ(functions[0].first_line, 2U);
  EXPECT_EQ(functions[0].rows, (std::vector<MemoryTextRow>{{2, 1, 36'175'872, 36'175'872},
                                                           {4, 3, 104'857LL << 20, 159'907'840},
                                                           {5, 1, 36'700'160, -1'048'576}}));
  EXPECT_EQ(functions[0].source[2].second, "    b = [2] * 7");
  EXPECT_TRUE(has_memory_profiler_table(text));
}

TEST(MemoryProfilerText, OccurrencesAsVersion058SpellsThem) {
  const std::string text =
      "Filename: ex.py\n\n"
      "Line #    Mem usage    Increment  Occurences   Line Contents\n"
      "============================================================\n"
      "    16    1.000 MiB    1.000 MiB          33       x = 1\n";
  EXPECT_EQ(read_memory_profiler_text(text).value()[0].rows,
            (std::vector<MemoryTextRow>{{16, 33, 1 << 20, 1 << 20}}));
}

TEST(MemoryProfilerText, WithoutOccurrencesAsBefore058) {
  const std::string text =
      "Filename: ex.py\n\n"
      "Line #    Mem usage    Increment   Line Contents\n"
      "================================================\n"
      "     2     34.5 MiB     34.5 MiB   @profile\n"
      "     3                             def f():\n"
      "     4     35.5 MB       1.0 MB        x = 1\n";
  const auto functions = read_memory_profiler_text(text).value();
  EXPECT_EQ(functions[0].rows, (std::vector<MemoryTextRow>{{2, 0, 36'175'872, 36'175'872},
                                                           {4, 0, 37'224'448, 1'048'576}}));
  EXPECT_EQ(functions[0].name, "f");
}

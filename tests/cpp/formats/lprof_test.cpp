#include <gtest/gtest.h>

#include "formats/lprof_file.h"
#include "formats/pickle_bytes.h"

using namespace pyrometer;
using namespace pyrometer::pickle_bytes;

TEST(Lprof, WhatIsWrittenIsRead) {
  const auto again = read_lprof(write_lprof(small_file()));
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(*again, small_file());
  EXPECT_TRUE(looks_like_lprof(write_lprof(small_file())));
}

TEST(Lprof, EmptyFile) {
  const auto again = read_lprof(write_lprof({}));
  ASSERT_TRUE(again);
  EXPECT_TRUE(again->functions.empty());
}

TEST(Lprof, ManyTextsAndLines) {
  LprofFile file;
  for (int i = 0; i < 1000; ++i) {
    LprofFunction& function = file.functions.emplace_back();
    function.file = std::string(300, 'd') + "/a.py";
    function.name = "f" + std::to_string(i);
    for (int line = 0; line < 5; ++line) function.lines.push_back({line, line, i});
  }
  const auto again = read_lprof(write_lprof(file));
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(*again, file);
}

TEST(Lprof, TextThatIsNotUnicodeBecomesSo) {
  const auto again = read_lprof(write_lprof({.functions = {{"\xff.py", 1, "f"}}}));
  ASSERT_TRUE(again);
  EXPECT_EQ(again->functions[0].file, "\xef\xbf\xbd.py");
}

TEST(Lprof, OfEqualLabelsTheLastCounts) {
  const std::string timings =
      "}(" + label() + "](" + one_line() + one_line() + "e" + label() + "](" + one_line() + "eu";
  const auto file = read_lprof(pickle_of(timings));
  ASSERT_TRUE(file) << file.error().message;
  ASSERT_EQ(file->functions.size(), 1U);
  EXPECT_EQ(file->functions[0].lines, (std::vector<LprofLine>{{2, 3, 4}}));
  EXPECT_DOUBLE_EQ(file->unit, 1e-9);
}

TEST(Lprof, ObjectMadeByACall) {
  const std::string unit("G\x3e\x11\x2e\x0b\xe8\x26\xd6\x95", 9);
  const auto file = read_lprof(
      "\x80\x02"
      "cline_profiler._line_profiler\nLineStats\n}" +
      unit + "\x86R.");
  ASSERT_TRUE(file) << file.error().message;
  EXPECT_TRUE(file->functions.empty());
}

TEST(Lprof, SumIsInTheCoarsestUnit) {
  const LprofFile coarse{.functions = {{"a.py", 1, "f", {{2, 1, 10}}}}, .unit = 1e-6};
  const LprofFile fine{.functions = {{"b.py", 1, "g", {{3, 1, 2500}}},
                                     {"a.py", 1, "f", {{3, 5, 1499}, {2, 1, 500}}}},
                       .unit = 1e-9};
  const LprofFile files[] = {coarse, fine};
  const LprofFile sum = sum_lprof(files);
  EXPECT_DOUBLE_EQ(sum.unit, 1e-6);
  // The finest comes first, and halves go to the even number, as line_profiler has it.
  ASSERT_EQ(sum.functions.size(), 2U);
  EXPECT_EQ(sum.functions[0], (LprofFunction{"b.py", 1, "g", {{3, 1, 2}}}));
  EXPECT_EQ(sum.functions[1], (LprofFunction{"a.py", 1, "f", {{2, 2, 10}, {3, 5, 1}}}));
}

TEST(Lprof, OneFileIsItsOwnSum) {
  const LprofFile files[] = {small_file()};
  EXPECT_EQ(sum_lprof(files), small_file());
}

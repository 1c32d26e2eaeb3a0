#include "report/loops.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "profile/source_file.h"
#include "report/report.h"
#include "support/profile_of_stacks.h"

namespace pyrometer {
namespace {

// "1-3(c)<0": lines, comprehension, and the loop around it; then the loop of each line.
std::string loops_of(const std::string& source) {
  const FileLoops file = find_loops(split_source(source));
  std::string text;
  for (const Loop& loop : file.loops) {
    text += fmt::format("{}-{}{}{} ", loop.first, loop.last, loop.is_comprehension ? "c" : "",
                        loop.parent == Loop::kNone ? "" : fmt::format("<{}", loop.parent));
  }
  text += "|";
  for (std::size_t line = 1; line < file.of_line.size(); ++line) {
    const std::size_t loop = file.of_line[line];
    text += loop == Loop::kNone ? " ." : fmt::format(" {}", loop);
  }
  return text;
}

TEST(Loops, NestedStatements) {
  EXPECT_EQ(loops_of("def f(n):\n"
                     "    total = 0\n"
                     "    for i in range(n):\n"
                     "        total += i\n"
                     "        while total > 9:\n"
                     "            total -= 1\n"
                     "\n"
                     "        # still inside\n"
                     "        g()\n"
                     "    else:\n"
                     "        h()\n"
                     "    return total\n"),
            "3-9 5-6<0 | . . 0 0 1 1 0 0 0 . . .");
}

TEST(Loops, OneLineAsyncAndContinuedHeads) {
  EXPECT_EQ(loops_of("for x in y: f(x)\n"
                     "g()\n"
                     "async for x in (\n"
                     "    y\n"
                     "):\n"
                     "    f(x)\n"
                     "form = 1\n"
                     "while_ = 2\n"),
            "1-1 3-6 | 0 . 1 1 1 1 . .");
}

TEST(Loops, Comprehensions) {
  EXPECT_EQ(loops_of("a = [f(x) for x in y]\n"
                     "b = sum(\n"
                     "    x\n"
                     "    for x in y\n"
                     ")\n"
                     "c = [1, 2]\n"
                     "for x in [g(y) for y in z]:\n"
                     "    h({k: v for k, v in x})\n"
                     "s = 'for x in y'\n"),
            "1-1c 2-5c 7-8 7-7c<2 8-8c<2 | 0 1 1 1 1 . 2 4 .");
}

TEST(Loops, NestedComprehensionsOfOneLineAreOne) {
  EXPECT_EQ(loops_of("x = [[f(a) for a in b] for b in c]\n"), "1-1c | 0");
  EXPECT_EQ(loops_of("x = [\n  [f(a) for a in b]\n  for b in c]\n"), "1-3c 2-2c<0 | 0 1 0");
}

TEST(Loops, TheBodyOfAFunctionRunsWhenItIsCalled) {
  EXPECT_EQ(loops_of("for x in y:\n"
                     "    def f():\n"
                     "        g()\n"
                     "        for z in x:\n"
                     "            h()\n"
                     "    f()\n"),
            "1-6 4-5 | 0 0 . 1 1 0");
}

TEST(Loops, AnyTextIsTaken) {
  EXPECT_EQ(loops_of(""), "|");
  EXPECT_EQ(loops_of("for x in (\n"), "1-1 | 0");
  EXPECT_EQ(loops_of(")]} for x in [\n  while\n"), "| . .");
  EXPECT_EQ(loops_of("for x in y:\n        a\n    b\n").substr(0, 3), "1-2");
}

std::string loops_text(const Profile& profile) {
  return report_text(make_overview(profile, MetricId(0)), {.loops = true});
}

TEST(Loops, TimeOfALoopIncludesWhatItCallsAndInnerLoops) {
  Profile profile = testing::profile_of_stacks({{"main:2", 10'000'000},
                                                {"main:3", 20'000'000},
                                                {"main:4;solve:1", 30'000'000},
                                                {"main:5", 40'000'000}});
  profile.sources[profile.strings.intern("/home/user/main.py")] = {
      false, "x = 1\nfor i in a:\n    for j in b:\n        solve()\n    y()\n"};
  const std::string text = loops_text(profile);
  EXPECT_NE(text.find("  100 ms   100.0 %   50.0 ms   50.0 %   loop at main.py:2-5 in main   "
                      "for i in a:\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find(" 50.0 ms    50.0 %   20.0 ms   20.0 %   loop at main.py:3-4 in main   "
                      "for j in b:\n"),
            std::string::npos)
      << text;
}

TEST(Loops, WithoutSourceThereAreNone) {
  EXPECT_NE(loops_text(testing::profile_of_stacks({{"main:2", 10}})).find("No loops: "),
            std::string::npos);
}

}  // namespace
}  // namespace pyrometer

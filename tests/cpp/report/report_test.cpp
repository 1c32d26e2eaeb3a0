#include "report/report.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/format_value.h"
#include "report/text_table.h"
#include "support/profile_of_stacks.h"

namespace pyrometer {
namespace {

using testing::profile_of_stacks;

constexpr std::int64_t kMs = 1'000'000;

Profile example() {
  return profile_of_stacks({{"main:3", 50 * kMs, 1},
                            {"main:4;solve:21", 700 * kMs, 10},
                            {"main:4;solve:22;dot", 250 * kMs, 4000}});
}

std::string text_of(const Profile& profile, const ReportOptions& options) {
  return report_text(make_overview(profile, MetricId(0)), options);
}

TEST(FormatValue, ThreeDigitsAndTheRightUnit) {
  EXPECT_EQ(format_value(Unit::kNanoseconds, 3'912'000'000), "3.91 s");
  EXPECT_EQ(format_value(Unit::kNanoseconds, 999'600'000), "1.00 s");
  EXPECT_EQ(format_value(Unit::kNanoseconds, 12'340'000), "12.3 ms");
  EXPECT_EQ(format_value(Unit::kNanoseconds, 456'700), "457 µs");
  EXPECT_EQ(format_value(Unit::kNanoseconds, 999), "999 ns");
  EXPECT_EQ(format_value(Unit::kNanoseconds, 0), "0 s");
  EXPECT_EQ(format_value(Unit::kNanoseconds, -1'500'000), "-1.50 ms");
  EXPECT_EQ(format_value(Unit::kBytes, 1536), "1.50 KiB");
  EXPECT_EQ(format_value(Unit::kBytes, 100), "100 B");
  EXPECT_EQ(format_count(1'234'567), "1,234,567");
  EXPECT_EQ(format_count(-123), "-123");
  EXPECT_EQ(format_count(-1234), "-1,234");
}

TEST(Report, FindingsThenFunctions) {
  EXPECT_EQ(text_of(example(), {}),
            "pyrometer  1.00 s wall   1 process, 3 functions\n"
            "  • 70 % of the wall time is in solve itself (solve.py:1), hottest line 21 (70 %).\n"
            "  • 25 % of the wall time is in dot itself (dot.py:1).\n"
            "\n"
            "     self        %    total         %   calls   function   where\n"
            "   700 ms   70.0 %   950 ms    95.0 %      10   solve      solve.py:1\n"
            "   250 ms   25.0 %   250 ms    25.0 %   4,000   dot        dot.py:1\n"
            "  50.0 ms    5.0 %   1.00 s   100.0 %       1   main       main.py:1\n");
}

TEST(Report, LimitSaysWhatIsLeftOut) {
  const std::string text = text_of(example(), {.selection = {.limit = 1}});
  EXPECT_NE(text.find("… 2 more; --limit 0 shows all"), std::string::npos) << text;
  EXPECT_EQ(text.find("main.py"), std::string::npos);
}

TEST(Report, CallersAndCallees) {
  const std::string callers = text_of(example(), {.callers = true});
  EXPECT_NE(callers.find("  dot (dot.py:1)       solve (solve.py:1)   4,000   250 ms   250 ms\n"),
            std::string::npos)
      << callers;
  const std::string callees = text_of(example(), {.callees = true});
  EXPECT_NE(callees.find("  main (main.py:1)     solve (solve.py:1)      10   700 ms   950 ms\n"),
            std::string::npos)
      << callees;
}

TEST(Report, LinesShowRecordedSource) {
  Profile profile = example();
  std::string source;
  for (int i = 1; i <= 30; ++i) source += fmt::format("    line_{} = 1\n", i);
  profile.sources[profile.strings.intern("/home/user/solve.py")] = {false, source};
  const std::string text = text_of(profile, {.lines = true});
  EXPECT_NE(text.find("solve.py:21   solve      line_21 = 1\n"), std::string::npos) << text;
}

TEST(Report, TreesIndentAndHideWhatIsSmall) {
  const std::string tree = text_of(example(), {.tree = true});
  EXPECT_NE(tree.find("  250 ms    25.0 %    250 ms       dot    dot.py:1\n"), std::string::npos)
      << tree;
  const std::string cut = text_of(example(), {.tree = true, .depth = 1});
  EXPECT_NE(cut.find("1 smaller or deeper branches"), std::string::npos) << cut;
  const std::string up = text_of(example(), {.bottom_up = true});
  EXPECT_NE(up.find("250 ms   25.0 %       0 s     solve    solve.py:1\n"), std::string::npos)
      << up;
}

TEST(Report, ThreadsAndProcesses) {
  const std::string text = text_of(example(), {.threads = true, .processes = true});
  EXPECT_NE(text.find("MainThread"), std::string::npos) << text;
  EXPECT_NE(text.find("node:7    finished   test.pyr"), std::string::npos) << text;
}

TEST(Report, Groups) {
  const std::string text = text_of(example(), {.group_by = {GroupBy::kModule, GroupBy::kKind}});
  EXPECT_NE(text.find("  50.0 ms    5.0 %   1.00 s   100.0 %           1   main\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("  1.00 s   100.0 %   1.00 s   100.0 %           3   own code\n"),
            std::string::npos)
      << text;
}

TEST(Report, ASandwich) {
  const std::string text = text_of(example(), {.sandwich = {*Pattern::parse("^solve$")}});
  EXPECT_NE(text.find("   total        %     self   calls   function           where\n"
                      "  950 ms   95.0 %   700 ms      10     called by main   main.py:1\n"
                      "  950 ms   95.0 %   700 ms      10   solve              solve.py:1\n"
                      "  250 ms   25.0 %   250 ms   4,000     calls dot        dot.py:1\n"),
            std::string::npos)
      << text;
}

TEST(Report, SmallRowsAreLeftOutOnRequest) {
  const std::string text =
      text_of(example(), {.callers = true, .threads = true, .least_row_share = 0.5});
  EXPECT_EQ(text.find("dot (dot.py:1)"), std::string::npos) << text;
  EXPECT_NE(text.find("MainThread"), std::string::npos) << text;
}

TEST(Report, TreesOfSomeFunctions) {
  const std::string text =
      text_of(example(), {.selection = {.drop = {*Pattern::parse("^solve$")}}, .tree = true});
  EXPECT_NE(text.find("  1.00 s   100.0 %   750 ms   main       main.py:1\n"
                      "  250 ms    25.0 %   250 ms     dot      dot.py:1\n"),
            std::string::npos)
      << text;
}

TEST(Report, SaysWhatItIsOf) {
  const Profile profile = example();
  const Overview overview = make_overview(profile, MetricId(0));
  const ReportSubject subject{.overview = overview,
                              .folding = {.frames = 2, .is_estimated = true},
                              .focus = "sol\x1bve",
                              .whole = 4000 * kMs};
  const std::string text = report_text(subject, {.tree = true});
  EXPECT_NE(text.find("  Only paths through sol\\x1bve: 1.00 s of 4.00 s, 25.0 %; percentages are "
                      "of that.\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("  2 wrapper frames folded into what called them; --no-fold shows all. "
                      "Without call paths in the file this is an estimate.\n"),
            std::string::npos)
      << text;
  EXPECT_EQ(text.find("of the wall time"), std::string::npos) << "a finding about the whole";
  EXPECT_EQ(report_text(subject, {}).find("wrapper frames"), std::string::npos);
}

TEST(Report, EscapesInNamesNeverReachTheTerminal) {
  const Profile profile = profile_of_stacks({{"evil\x1b]0;owned\x07", 100 * kMs}});
  const std::string text = text_of(profile, {});
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  EXPECT_EQ(text.find('\x07'), std::string::npos);
  EXPECT_NE(text.find("evil\\x1b]0"), std::string::npos) << text;
}

TEST(Report, ColoursOnlyWhenAsked) {
  EXPECT_EQ(text_of(example(), {}).find('\x1b'), std::string::npos);
  EXPECT_NE(text_of(example(), {.use_color = true}).find("\x1b[1m"), std::string::npos);
}

TEST(TextTable, WideCharactersKeepColumnsAligned) {
  TextTable table({{"name", TextTable::Align::kLeft}, {"n"}});
  table.add_row({"größe", "1"});
  table.add_row({"數學", "22"});
  EXPECT_EQ(table.render(Style(false)), "  name     n\n  größe    1\n  數學    22\n");
}

}  // namespace
}  // namespace pyrometer

#include <gtest/gtest.h>

#include <algorithm>
#include <regex>

#include "report/memory_bars.h"
#include "report/memory_report.h"
#include "support/memory_profile.h"

namespace pyrometer {
namespace {

using testing::MemoryProfile;
constexpr std::int64_t kMiB = MemoryProfile::kMiB;
constexpr std::int64_t kSecond = MemoryProfile::kSecond;
constexpr MemoryWindow kAll{0, 10 * kSecond};

bool contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

MemoryProfile program_with_functions() {
  MemoryProfile program;
  program.begin_process();
  program.counter("heap", {{0, 10 * kMiB}, {2, 60 * kMiB}, {4, 20 * kMiB}, {10, 50 * kMiB}});
  program.region("job.main", 0, 10, 0);
  program.region("job.solve", 1, 4, 1);
  program.region("job.step", 2, 1, 2);
  program.region("job.write", 6, 3, 1);
  return program;
}

std::string plot(MemoryProfile program, const MemoryReportOptions& options) {
  const Profile profile = program.finish();
  const Overview overview = make_overview(profile, MetricId(0));
  return memory_plot(make_memory_subject(overview), options);
}

// "main 0, solve 1": the bars in the order of time, each with its row.
std::string rows_of(MemoryProfile program, const MemoryWindow& window = kAll) {
  const Profile profile = program.finish();
  std::string words;
  for (const MemoryBar& bar : bars_by_nesting(profile, window).bars) {
    words += (words.empty() ? "" : ", ") + std::string(profile.text(bar.name)) + " " +
             std::to_string(bar.row);
  }
  return words;
}

TEST(MemoryWindow, CurvesAreCutWhereTheyCrossItsEdges) {
  const TimedValues points{{0, 0}, {10, 100}, {20, 300}};
  EXPECT_EQ(points_within(points, {5, 15}), (TimedValues{{5, 50}, {10, 100}, {15, 200}}));
  EXPECT_EQ(points_within(points, {0, 20}), points);
  EXPECT_EQ(points_within(points, {-5, 25}), points);
  EXPECT_EQ(points_within(points, {12, 14}), (TimedValues{{12, 140}, {14, 180}}));
  EXPECT_EQ(points_within(points, {10, 12}), (TimedValues{{10, 100}, {12, 140}}));
  EXPECT_EQ(points_within(points, {20, 30}), (TimedValues{{20, 300}}));
  EXPECT_EQ(points_within(points, {21, 30}), TimedValues{});
  EXPECT_EQ(points_within(points, {-9, -1}), TimedValues{});
  EXPECT_EQ(points_within({}, {0, 1}), TimedValues{});
}

TEST(MemoryPlot, TitleInThePlaceOfOurs) {
  const std::string ours = plot(program_with_functions(), {});
  EXPECT_TRUE(contains(ours, "class=\"title\">Memory over time<"));
  const std::string theirs = plot(program_with_functions(), {.picture = {.title = "a < b & c"}});
  EXPECT_TRUE(contains(theirs, "class=\"title\">a &lt; b &amp; c<"));
  EXPECT_FALSE(contains(theirs, "Memory over time"));
}

TEST(MemoryPlot, WindowShowsItsOwnPeakAndFunctions) {
  const std::string late =
      plot(program_with_functions(), {.picture = {.window = {{6 * kSecond, 8 * kSecond}}}});
  EXPECT_TRUE(contains(late, ">highest here 40.0 MiB at 8.00 s<")) << late;
  EXPECT_TRUE(contains(late, ">job.write<"));
  EXPECT_FALSE(contains(late, ">job.solve<"));
  EXPECT_TRUE(contains(late, ">6<") && contains(late, ">8<"));
  EXPECT_FALSE(contains(late, ">0<") || contains(late, ">10<"));
  const std::string early =
      plot(program_with_functions(), {.picture = {.window = {{kSecond, 3 * kSecond}}}});
  EXPECT_TRUE(contains(early, ">peak 60.0 MiB at 2.00 s<"));
}

TEST(MemoryPlot, NothingIsInAWindowOfAnotherTime) {
  MemoryProfile program = program_with_functions();
  program.begin_process();
  program.counter("memory", {{11, kMiB}, {12, kMiB}});  // no heap, which the plot is of
  const Profile profile = program.finish();
  const Overview overview = make_overview(profile, MetricId(0));
  const MemorySubject subject = make_memory_subject(overview);
  EXPECT_TRUE(has_memory_within(subject, {9 * kSecond, 30 * kSecond}));
  EXPECT_FALSE(has_memory_within(subject, {11 * kSecond, 12 * kSecond}));
}

TEST(MemoryPlot, SlopeIsOfAllTheTimeInAnyWindow) {
  const std::string all = plot(program_with_functions(), {.slope = true});
  const std::string part =
      plot(program_with_functions(), {.slope = true, .picture = {.window = {{0, 2 * kSecond}}}});
  const std::size_t end = all.find("/s<");
  ASSERT_NE(end, std::string::npos);
  const std::string slope = all.substr(all.rfind('>', end), end - all.rfind('>', end));
  EXPECT_TRUE(contains(part, slope + "/s<")) << slope;
}

TEST(MemoryPlot, SlopesThatEndCloseTogetherDoNotCoverEachOther) {
  MemoryProfile program;
  for (const std::int64_t level : {100, 101, 102, 0}) {
    program.begin_process();
    program.counter("heap", {{0, level * kMiB}, {10, (level + 1) * kMiB}});
  }
  const std::string picture = plot(std::move(program), {.slope = true});
  std::vector<double> lines;
  const std::regex label("<text x=\"[0-9.]+\" y=\"([0-9.]+)\"[^>]*>[0-9]+ [KM]iB/s");
  for (std::sregex_iterator found(picture.begin(), picture.end(), label), end; found != end;
       ++found) {
    lines.push_back(std::stod((*found)[1]));
  }
  ASSERT_EQ(lines.size(), 5U) << picture;  // of each and of all together
  std::sort(lines.begin(), lines.end());
  for (std::size_t i = 1; i < lines.size(); ++i) EXPECT_GE(lines[i] - lines[i - 1], 14);
}

TEST(MemoryPlot, FunctionsCanBeLeftOut) {
  EXPECT_TRUE(contains(plot(program_with_functions(), {}), ">job.main<"));
  for (const bool flame : {false, true}) {
    const std::string bare =
        plot(program_with_functions(), {.picture = {.functions = false, .flame = flame}});
    EXPECT_FALSE(contains(bare, "job."));
    EXPECT_TRUE(contains(bare, "peak 60.0 MiB"));
  }
}

TEST(MemoryPlot, FlameNamesItsBars) {
  const std::string flame = plot(program_with_functions(), {.picture = {.flame = true}});
  EXPECT_TRUE(contains(flame, "<title>job.solve: 4.00 s from 1.00 s</title>")) << flame;
  EXPECT_TRUE(contains(flame, "class=\"bar\">job.main<"));
}

TEST(MemoryFlame, CalleesStandOnCallers) {
  EXPECT_EQ(rows_of(program_with_functions()), "job.main 0, job.solve 1, job.step 2, job.write 1");
  EXPECT_EQ(rows_of(program_with_functions(), {6 * kSecond, 7 * kSecond}),
            "job.main 0, job.write 1");
}

TEST(MemoryFlame, FilesWithoutDepthsAreNestedByTime) {
  MemoryProfile program;
  program.begin_process();
  program.region("inner", 1, 2);
  program.region("outer", 0, 8);
  program.region("next", 3, 2);
  EXPECT_EQ(rows_of(std::move(program)), "outer 0, inner 1, next 1");
}

TEST(MemoryFlame, CoroutinesThatTakeTurnsCoverNothing) {
  MemoryProfile program;
  program.begin_process();
  program.region("first", 0, 4);
  program.region("second", 2, 4);
  program.region("third", 5, 1);
  EXPECT_EQ(rows_of(std::move(program)), "first 0, second 1, third 0");
}

TEST(MemoryFlame, EachRankHasRowsOfItsOwn) {
  MemoryProfile program = program_with_functions();
  program.begin_process();
  program.region("other", 0, 5);
  const Profile profile = program.finish();
  const MemoryBars flame = bars_by_nesting(profile, kAll);
  EXPECT_EQ(flame.labels, (std::vector<std::string>{"rank 0", "", "", "rank 1"}));
  EXPECT_EQ(flame.bars.back().row, 3U);
  EXPECT_EQ(flame.left_out, "");
}

TEST(MemoryFlame, SaysWhatHasNoRoom) {
  MemoryProfile ranks;
  for (int rank = 0; rank < 100; ++rank) {
    ranks.begin_process();
    ranks.counter("heap", {{0, kMiB}, {9, kMiB}});
    ranks.region("work", 0, 5);
  }
  EXPECT_TRUE(contains(plot(std::move(ranks), {.picture = {.flame = true}}),
                       "heap of 100 processes; functions of 80 of 100 threads"));
  MemoryProfile deep = program_with_functions();
  deep.region("bottomless", 1, 1, 4'000'000'000);
  const std::string picture = plot(std::move(deep), {.picture = {.flame = true}});
  EXPECT_TRUE(contains(picture, "of the process; functions to a depth of 80"));
  EXPECT_FALSE(contains(picture, "bottomless"));
}

TEST(MemoryFlame, ManyCallsStaySmall) {
  MemoryProfile program = program_with_functions();
  for (int i = 0; i < 50'000; ++i) program.region("tick", i / 10'000.0, 0.00005, 3);
  const std::string picture = plot(std::move(program), {.picture = {.flame = true}});
  EXPECT_LT(picture.size(), std::size_t{1} << 20);
  EXPECT_TRUE(contains(picture, "job.write"));
}

}  // namespace
}  // namespace pyrometer

#include "report/memory_report.h"

#include <gtest/gtest.h>

#include "report/memory_lines_text.h"
#include "report/run_summary.h"
#include "support/memory_profile.h"

namespace pyrometer {
namespace {

using testing::MemoryProfile;
constexpr std::int64_t kMiB = MemoryProfile::kMiB;

bool contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

MemoryProfile program_with_peak() {
  MemoryProfile program;
  program.begin_process({{"memory.heap-peak", std::to_string(60 * kMiB)}});
  program.set("main:3;load:7", "peak", 40 * kMiB);
  program.set("main:4;np_ones:9", "peak", 20 * kMiB);
  program.counter("heap", {{1, 10 * kMiB}, {2, 60 * kMiB}, {9, 20 * kMiB}});
  return program;
}

TEST(MemoryReport, OwnersOfThePeakAndForWhom) {
  const Profile profile = program_with_peak().finish();
  const Overview overview = make_overview(profile, MetricId(0));
  const std::string text = memory_text(make_memory_subject(overview), {});
  EXPECT_EQ(text,
            "pyrometer memory  1 process\n"
            "  peak 60.0 MiB of heap at 2.00 s of 10.0 s\n"
            "\n"
            "Who held the peak, by line\n"
            "      peak        %   live   allocated   blocks   line           function   source\n"
            "  40.0 MiB   66.7 %                               load.py:7      load\n"
            "  20.0 MiB   33.3 %                               np_ones.py:9   np_ones    for "
            "main.py:4\n");
}

TEST(MemoryReport, ProfilesWithoutMemorySayNothing) {
  MemoryProfile program;
  program.begin_process();
  program.builder().values(program.thread()).row(program.node("main:3"))[MetricId(0)] = 5;
  const Profile profile = program.finish();
  const Overview overview = make_overview(profile, MetricId(0));
  EXPECT_FALSE(has_memory(make_memory_subject(overview)));
  EXPECT_FALSE(summarize_run(overview).memory);
}

TEST(MemoryReport, ComparesRanksAndHosts) {
  MemoryProfile job;
  for (const std::int64_t level : {100, 300}) {
    job.begin_process({{"memory.heap-peak", std::to_string(level * kMiB)},
                       {"memory.rss-peak", std::to_string(level * kMiB)},
                       {"memory.physical", std::to_string(1000 * kMiB)}});
    job.counter("memory", {{1, level * kMiB}});
  }
  const Profile profile = job.finish();
  const Overview overview = make_overview(profile, MetricId(0));
  const std::string text = memory_text(make_memory_subject(overview), {});
  EXPECT_TRUE(contains(text,
                       "  peak heap   at   resident   of limit       limit   live   allocated   "
                       "process\n"
                       "    300 MiB         300 MiB     30.0 %   1,000 MiB                      "
                       "rank 1, node:101\n"))
      << text;
  EXPECT_TRUE(contains(text,
                       "Over 2 ranks\n"
                       "                least   of          mean   deviation      most   of"
                       "       imbalance\n"
                       "  peak heap   100 MiB   rank 0   200 MiB     100 MiB   300 MiB   "
                       "rank 1        1.50\n"))
      << text;
  EXPECT_TRUE(contains(text,
                       "Hosts, their processes together\n"
                       "  resident       at        %          of   processes   host\n"
                       "   400 MiB   1.00 s   40.0 %   1,000 MiB           2   node\n"))
      << text;
}

TEST(MemoryPlot, NamesCannotBreakThePicture) {
  MemoryProfile program = program_with_peak();
  program.region("<script>&\x1b", 1, 3);
  const Profile profile = program.finish();
  const Overview overview = make_overview(profile, MetricId(0));
  const std::string picture = memory_plot(make_memory_subject(overview), {.slope = true});
  EXPECT_FALSE(contains(picture, "<script"));
  EXPECT_TRUE(contains(picture, "&lt;script&gt;&amp;"));
  EXPECT_TRUE(contains(picture, "peak 60.0 MiB at 2.00 s"));
}

TEST(MemoryPlot, ManyRanksAndPointsStaySmall) {
  MemoryProfile program;
  for (int rank = 0; rank < 300; ++rank) {
    program.begin_process();
    MemoryProfile::Points points;
    for (int i = 0; i < 2'000; ++i) points.emplace_back(i / 200.0, (rank + 1) * kMiB);
    program.counter("heap", points);
  }
  const Profile profile = program.finish();
  const Overview overview = make_overview(profile, MetricId(0));
  const std::string picture = memory_plot(make_memory_subject(overview), {});
  EXPECT_LT(picture.size(), std::size_t{5} << 20);
  EXPECT_TRUE(contains(picture, ">rank 299<"));
  EXPECT_TRUE(contains(picture, "heap of 300 processes"));
}

TEST(RunSummary, SaysThePeakAndWhatIsFoundOfMemory) {
  MemoryProfile program = program_with_peak();
  program.set("main:5;fill:2", "peak", 400 * kMiB);
  const Profile profile = program.finish();
  const RunSummary summary = summarize_run(make_overview(profile, MetricId(0)));
  const std::string text = run_summary_text(summary, {.directory = "run"}, false);
  EXPECT_TRUE(contains(text, "  memory at its peak: 60.0 MiB of heap\n")) << text;
  EXPECT_TRUE(contains(text, "  • 87 % of the peak of 460 MiB is held by fill (fill.py:2)"))
      << text;
  EXPECT_TRUE(contains(text, "next: pyrometer memory run")) << text;
}

TEST(MemoryLinesText, AComprehensionEndsWithItsOwnLines) {
  const MemoryLine line{.line = 2, .level = 1 << 20, .hits = 3};
  const auto source = [](const std::string&) {
    return std::vector<std::string>{"def f():", "    g(i for i in x)", "def other():", "    pass"};
  };
  const auto table = [&](const std::string& name, std::uint32_t first) {
    return memory_lines_text({{.function = FunctionId::none(),
                               .file = "f.py",
                               .first_line = first,
                               .name = name,
                               .lines = {line}}},
                             source);
  };
  EXPECT_EQ(table("f.<locals>.<genexpr>", 2).find("other"), std::string::npos);
  EXPECT_NE(table("f", 1).find("def f"), std::string::npos);
}

}  // namespace
}  // namespace pyrometer

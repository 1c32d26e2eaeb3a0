// Tables of line_profiler and memory_profiler, and mprof's files.
#include <gtest/gtest.h>

#include "load/load.h"
#include "support/temporary_folder.h"

using namespace pyrometer;

namespace {

constexpr const char* kTable =
    "Timer unit: 1e-06 s\n\nTotal time: 3e-06 s\nFile: /w/a.py\nFunction: C.f at line 2\n\n"
    "Line #      Hits         Time  Per Hit   % Time  Line Contents\n"
    "==============================================================\n"
    "     2                                               def f(self):\n"
    "     4         1          3.0      3.0    100.0          return 1\n";

std::int64_t line_value(const Profile& profile, std::string_view name, std::uint32_t line) {
  std::int64_t sum = 0;
  for (const LineValue& value : profile.line_values) {
    if (profile.metrics[value.metric.row()].name == name && value.line == line) sum += value.value;
  }
  return sum;
}

Profile load_text(const std::string& text) {
  const pyrometer::testing::TemporaryFolder folder;
  EXPECT_TRUE(write_file(folder / "any.thing", text));
  auto profile = load_file(folder / "any.thing", Detail::kSummary);
  EXPECT_TRUE(profile) << profile.error().message;
  return profile ? *std::move(profile) : Profile();
}

}  // namespace

TEST(LoadLineText, LinesFarBeyondAnyFileHaveNoText) {
  const Profile profile = load_text(
      "Filename: ex.py\n\nLine #    Mem usage    Increment  Occurrences   Line Contents\n"
      "=============================================================\n"
      "1919668629   10.0 MiB   10.0 MiB           1   @profile\n");
  EXPECT_EQ(profile.functions.size(), 1U);
  EXPECT_TRUE(profile.sources.empty());
}

TEST(LoadLineText, LinesAndSources) {
  const Profile profile = load_text(kTable);
  ASSERT_EQ(profile.functions.size(), 1U);
  EXPECT_EQ(profile.text(profile.functions[0].name), "f");
  EXPECT_EQ(profile.text(profile.functions[0].qualified_name), "C.f");
  EXPECT_EQ(profile.functions[0].first_line, 2U);
  EXPECT_EQ(line_value(profile, "hits", 4), 1);
  EXPECT_EQ(line_value(profile, "line-time", 4), 3'000);
  ASSERT_EQ(profile.sources.size(), 1U);
  EXPECT_EQ(profile.sources.begin()->second.content,
            "\n    def f(self):\n\n        return 1\n...\n");
  EXPECT_EQ(profile.processes[0].source, "any.thing");
}

TEST(LoadLineText, BehindMoreOutputThanIsLookedAtFirst) {
  std::string text;
  for (int i = 0; i < 10'000; ++i) text += fmt::format("step {}: residual 0.5\n", i);
  EXPECT_EQ(line_value(load_text(text + kTable), "hits", 4), 1);
}

TEST(LoadLineText, TablesOfOneFunctionAreAddedUp) {
  const Profile profile = load_text(std::string(kTable) + "\n" + kTable);
  EXPECT_EQ(profile.functions.size(), 1U);
  EXPECT_EQ(line_value(profile, "line-time", 4), 6'000);
}

TEST(LoadLineText, LinesBeyondAnySourceKeepNoText) {
  std::string text = kTable;
  text += "2000000000         1          1.0      1.0    100.0          x\n";
  const Profile profile = load_text(text);
  EXPECT_EQ(line_value(profile, "hits", 2'000'000'000), 1);
  EXPECT_LT(profile.sources.begin()->second.content.size(), 100U);
}

TEST(LoadMemoryText, LevelsAreTheMostAndIncrementsSums) {
  const std::string table =
      "Filename: m.py\n\n"
      "Line #    Mem usage    Increment  Occurrences   Line Contents\n"
      "=============================================================\n"
      "     1      2.0 MiB      2.0 MiB           1   def f():\n"
      "     2      3.0 MiB      1.0 MiB           4       x = 1\n\n\n";
  const Profile profile = load_text(table + table);
  EXPECT_EQ(line_value(profile, "memory", 2), 3 << 20);
  EXPECT_EQ(line_value(profile, "increment", 2), 2 << 20);
  EXPECT_EQ(line_value(profile, "hits", 2), 8);
}

TEST(LoadMprof, CountersOfProcessesAndRegions) {
  const Profile profile = load_text(
      "CMDLINE python3 x.py\nMEM 1.0 100.0\nMEM 3.0 101.0\nCHLD 7 2.0 100.5\n"
      "FUNC m.f 1.0 100.25 2.5 100.75 1\n");
  ASSERT_EQ(profile.processes.size(), 2U);
  EXPECT_EQ(profile.processes[0].start, 100'000'000'000);
  EXPECT_EQ(profile.processes[0].duration, 1'000'000'000);
  EXPECT_EQ(profile.processes[1].pid, 7U);
  ASSERT_EQ(profile.counters.size(), 3U);
  EXPECT_EQ(profile.text(profile.counters[0].name), "memory");
  EXPECT_EQ(profile.counters[0].points, (std::vector<std::pair<std::int64_t, std::int64_t>>{
                                            {0, 1 << 20}, {1'000'000'000, 3 << 20}}));
  EXPECT_EQ(profile.text(profile.counters[1].name), "m.f");
  EXPECT_EQ(profile.counters[2].process.row(), 1U);
  ASSERT_EQ(profile.regions.size(), 1U);
  EXPECT_EQ(profile.regions[0].start, 250'000'000);
  EXPECT_EQ(profile.regions[0].duration, 500'000'000);
  EXPECT_EQ(profile.regions[0].value, 3 << 19);
}

#include "serve/view_of.h"
#include "support/profile_of_stacks.h"
#include "support/timed_profile.h"

namespace pyrometer {
namespace {

using namespace testing;

std::string title_of(Profile profile) {
  return ask_json({view_of(std::move(profile))}, "api/0/summary")["title"];
}

Profile with_kinds(std::int64_t python, std::int64_t gil, std::int64_t sleep) {
  ProfileBuilder builder;
  builder.add_process({.duration = 1'000'000'000});
  const ThreadId thread = builder.add_thread({.process = ProcessId(0)});
  const NodeId node = builder.node(NodeId::none(), builder.function({.name = "f"}), 1);
  ValueRows::Row row = builder.values(thread).row(node);
  const auto metric = [&](const char* name) { return builder.metric({name, Unit::kNanoseconds}); };
  row[metric("wall")] = python + gil + sleep;
  row[metric("cpu")] = python;
  row[metric("python")] = python;
  row[metric("gil-wait")] = gil;
  row[metric("sleep")] = sleep;
  return builder.finish();
}

TEST(Summary, TitlesAreTrueForEveryKindOfProfile) {
  EXPECT_EQ(title_of(profile_of_stacks({{"main:1;solve:2", 61}, {"main:3", 39}})),
            "solve takes 61 % of the time");
  EXPECT_EQ(title_of(with_kinds(40, 60, 0)), "Threads wait for the GIL 60 % of their time");
  EXPECT_EQ(title_of(with_kinds(40, 0, 60)), "The program spends 60 % of its time waiting");
  EXPECT_EQ(title_of(with_kinds(97, 0, 3)), "f takes 100 % of the time");
  EXPECT_EQ(title_of(with_kinds(70, 0, 30)), "f computes for 70 % of the time");
  EXPECT_EQ(title_of(Profile()), "This profile holds no measurements");
  std::vector<Stack> flat;
  for (int i = 0; i < 50; ++i) flat.push_back({"f" + std::to_string(i), i == 7 ? 3 : 2});
  EXPECT_EQ(title_of(profile_of_stacks(flat)),
            "No function stands out: f7 itself takes 3 % of the time");
}

TEST(Summary, TitlesOfLinesAndCounters) {
  ProfileBuilder lines;
  lines.add_process({});
  const ThreadId thread = lines.add_thread({.process = ProcessId(0)});
  const MetricId time = lines.metric({"line-time", Unit::kNanoseconds});
  lines.add_line({thread, time, lines.function({.name = "f"}), 3, 70});
  lines.add_line({thread, time, lines.function({.name = "g"}), 3, 30});
  EXPECT_EQ(title_of(lines.finish()), "The lines of f take 70 % of the measured time");

  ProfileBuilder counters;
  counters.add_process({.duration = 2'000'000'000});
  counters.profile().counters.push_back({ProcessId(0),
                                         counters.string("memory"),
                                         Unit::kBytes,
                                         {{0, 1 << 20}, {1'500'000'000, 3 << 20}}});
  EXPECT_EQ(title_of(counters.finish()), "Memory peaks at 3.00 MiB after 1.50 s");

  Profile sampled = profile_of_stacks({});
  sampled.is_sampled = true;
  EXPECT_EQ(title_of(std::move(sampled)), "The program ended before the first sample");
}

TEST(Summary, SaysWhatThereIs) {
  const auto summary = ask_json({view_of(TimedProfile().finish(), "wave.run")}, "api/0/summary");
  EXPECT_EQ(summary["facts"][0], "wave.run");
  EXPECT_EQ(summary["facts"][1], "2 processes, 2 threads");
  EXPECT_EQ(summary["main_metric"], "wall");
  EXPECT_EQ(summary["metrics"][0]["label"], "Wall time");
  EXPECT_EQ(summary["metrics"][0]["total"], 5e9);
  EXPECT_EQ(summary["duration"], 4);
  EXPECT_EQ(summary["start"], 1.7e9);
  EXPECT_EQ(summary["quality"]["samples"], 10);
  EXPECT_NEAR(summary["quality"]["error"], 0.31, 0.001);
  EXPECT_TRUE(summary["quality"]["rate"].is_null());
  EXPECT_TRUE(summary["finished"]);
  for (const char* name : {"paths", "threads", "time", "ranks", "memory", "counters", "regions"}) {
    EXPECT_TRUE(summary["has"][name]) << name;
  }
  for (const char* name : {"edges", "lines", "waits"}) EXPECT_FALSE(summary["has"][name]) << name;
}

TEST(Summary, FindingsLeadToFunctions) {
  const auto summary =
      ask_json({view_of(profile_of_stacks(
                   {{"main:1;solve:20", 900'000'000}, {"main:2", 100'000'000}}, true))},
               "api/0/summary");
  const auto& finding = summary["findings"][0];
  EXPECT_EQ(finding["id"], "hot-function");
  EXPECT_EQ(finding["kind"], "hot");
  EXPECT_EQ(finding["big"], "90 %");
  EXPECT_EQ(finding["sentence"],
            "solve computes for 90 % of the wall time, native code that it calls included.");
  EXPECT_EQ(finding["evidence"], "solve.py:1, line 20 alone 90 %");
  EXPECT_EQ(finding["function"], 1);
  EXPECT_EQ(finding["line"], 20);
  EXPECT_EQ(finding["screen"], "source");
}

TEST(Summary, ListsProfiles) {
  ProfileVersions profiles = {view_of(Profile(), "a.run"), view_of(Profile(), "b")};
  profiles[1].generation = 3;
  profiles[1].is_live = true;
  const auto list = ask_json(profiles, "api/profiles");
  EXPECT_EQ(list["profiles"][0]["name"], "a.run");
  EXPECT_EQ(list["profiles"][1]["generation"], 3);
  EXPECT_TRUE(list["profiles"][1]["live"]);
}

}  // namespace
}  // namespace pyrometer

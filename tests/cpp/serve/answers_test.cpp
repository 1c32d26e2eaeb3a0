// Functions, call edges, lines, sources, ranks, timeline, samples and exports.
#include <fstream>

#include "serve/view_of.h"
#include "support/profile_of_stacks.h"
#include "support/rank_profile.h"
#include "support/temporary_folder.h"
#include "support/timed_profile.h"

namespace pyrometer {
namespace {

using namespace testing;
using Rows = std::vector<std::uint32_t>;
using Numbers = std::vector<double>;
constexpr double kS = 1e9;

ProfileVersions timed() { return {view_of(TimedProfile().finish())}; }

TEST(FunctionsAnswer, RecursionCountsOnce) {
  const ReadColumns all = ask_columns(timed(), "api/0/functions?metric=wall");
  EXPECT_EQ(all.rows("function"), (Rows{0, 1}));  // main, solve
  EXPECT_EQ(all.numbers("self"), (Numbers{kS, 4 * kS}));
  EXPECT_EQ(all.numbers("total"), (Numbers{5 * kS, 4 * kS}));
  const ReadColumns late = ask_columns(timed(), "api/0/functions?metric=wall&from=1&to=2");
  EXPECT_EQ(late.numbers("self"), (Numbers{0, 2 * kS}));
  EXPECT_EQ(late.numbers("total"), (Numbers{2 * kS, 2 * kS}));
  const ReadColumns one = ask_columns(timed(), "api/0/functions?processes=1");
  EXPECT_EQ(one.numbers("total"), (Numbers{kS, kS}));
}

TEST(FunctionsAnswer, CountsCalls) {
  const ReadColumns all = ask_columns(
      {view_of(profile_of_stacks({{"f:1", 5, 2}, {"f:1;f:1", 1, 3}}))}, "api/0/functions");
  EXPECT_EQ(all.numbers("calls"), (Numbers{5}));
  EXPECT_EQ(all.numbers("primitive"), (Numbers{2}));
}

TEST(CallsAnswer, AreForProfilesWithoutPaths) {
  EXPECT_EQ(ask_in_vain(timed(), "api/0/calls").first, 409);
  ProfileBuilder builder;
  builder.add_process({});
  const ThreadId thread = builder.add_thread({.process = ProcessId(0)});
  const MetricId wall = builder.metric({"wall", Unit::kNanoseconds});
  const FunctionId f = builder.function({.name = "f"});
  const FunctionId g = builder.function({.name = "g"});
  builder.add_flat({thread, wall, FunctionId::none(), g, 4, 6});
  builder.add_flat({thread, wall, f, g, 3, 5});
  const ReadColumns calls = ask_columns({view_of(builder.finish())}, "api/0/calls?metric=wall");
  EXPECT_EQ(calls.rows("caller"), (Rows{0}));
  EXPECT_EQ(calls.rows("callee"), (Rows{1}));
  EXPECT_EQ(calls.numbers("self"), (Numbers{3}));
  EXPECT_EQ(calls.numbers("total"), (Numbers{5}));
}

TEST(LinesAnswer, AreByFunctionAndLine) {
  ProfileBuilder builder;
  builder.add_process({});
  const ThreadId a = builder.add_thread({.process = ProcessId(0)});
  const ThreadId b = builder.add_thread({.process = ProcessId(0)});
  const MetricId hits = builder.metric({"hits"});
  const MetricId time = builder.metric({"line-time", Unit::kNanoseconds});
  const FunctionId f = builder.function({.name = "f"});
  builder.add_line({a, hits, f, 4, 10});
  builder.add_line({b, hits, f, 4, 5});
  builder.add_line({a, time, f, 3, 700});
  const ProfileVersions profiles = {view_of(builder.finish())};
  const ReadColumns lines = ask_columns(profiles, "api/0/lines");
  EXPECT_EQ(lines.rows("line"), (Rows{3, 4}));
  EXPECT_EQ(lines.numbers("hits"), (Numbers{0, 15}));
  EXPECT_EQ(lines.numbers("time"), (Numbers{700, 0}));
  EXPECT_EQ(lines.numbers("self"), (Numbers{0, 0}));
  EXPECT_FALSE(lines.has("memory"));
  EXPECT_EQ(ask_columns(profiles, "api/0/lines?threads=1").numbers("hits"), (Numbers{5}));
  EXPECT_EQ(ask_in_vain(profiles, "api/0/lines?from=1").first, 409);
}

TEST(SourceAnswer, ComesFromTheProfileOrTheDiskAndSaysSo) {
  const TemporaryFolder folder;
  const std::string path = (folder / "here.py").string();
  std::ofstream(path) << "print('now')\n";
  ProfileBuilder builder;
  builder.add_process({});
  builder.add_thread({.process = ProcessId(0)});
  builder.metric({"wall", Unit::kNanoseconds});
  for (const std::string& file :
       {std::string("/kept.py"), path, std::string("/gone.py"), std::string("/etc/passwd")}) {
    builder.function({.name = "f", .file = file, .short_file = file});
  }
  Profile& profile = builder.profile();
  profile.sources[builder.string("/kept.py")] = {false, "as it ran\n"};
  const auto ask_for = [](const ProfileVersions& profiles, int file) {
    return ask_json(profiles, "api/0/source?file=" + std::to_string(file));
  };
  const ProfileVersions profiles = {view_of(builder.finish())};
  EXPECT_EQ(ask_for(profiles, 0)["from"], "recorded");
  EXPECT_EQ(ask_for(profiles, 0)["text"], "as it ran\n");
  EXPECT_EQ(ask_for(profiles, 1)["from"], "disk");
  EXPECT_EQ(ask_for(profiles, 1)["text"], "print('now')\n");
  for (const int file : {2, 3}) {  // the last is no Python source, whatever the profile says
    EXPECT_EQ(ask_for(profiles, file)["from"], "none");
    EXPECT_TRUE(ask_for(profiles, file)["text"].is_null());
  }
  EXPECT_EQ(ask_in_vain(profiles, "api/0/source?file=4").first, 404);
  EXPECT_EQ(ask_in_vain(profiles, "api/0/source?file=../x").first, 400);
  EXPECT_EQ(ask_in_vain(profiles, "api/0/source").first, 404);
}

TEST(SourceAnswer, TellsWhenAFileIsNotAsItRan) {
  const TemporaryFolder folder;
  const std::string path = (folder / "here.py").string();
  std::ofstream(path) << "print('now')\n";
  for (const bool is_same : {true, false}) {
    ProfileBuilder builder;
    builder.function({.name = "f", .file = path, .short_file = path});
    builder.profile().sources[builder.string(path)] = {
        true, content_id(is_same ? "print('now')\n" : "print('then')\n").to_bytes()};
    EXPECT_EQ(ask_json({view_of(builder.finish())}, "api/0/source?file=0")["from"],
              is_same ? "disk" : "changed");
  }
}

TEST(RanksAnswer, HasARowOfProcessesPerFunction) {
  const ReadColumns ranks = ask_columns(timed(), "api/0/ranks?metric=wall&by=self");
  EXPECT_EQ(ranks.rows("process"), (Rows{0, 1}));
  EXPECT_EQ(ranks.rows("function"), (Rows{1, 0}));  // solve differs most
  EXPECT_EQ(ranks.numbers("value"), (Numbers{3 * kS, kS, kS, 0}));
  EXPECT_EQ(ranks.numbers("minimum"), (Numbers{kS, 0}));
  EXPECT_EQ(ranks.numbers("median"), (Numbers{2 * kS, 0.5 * kS}));
  EXPECT_EQ(ranks.numbers("maximum"), (Numbers{3 * kS, kS}));
  EXPECT_EQ(ranks.numbers("mean"), (Numbers{2 * kS, 0.5 * kS}));
  EXPECT_EQ(ranks.numbers("deviation"), (Numbers{kS, 0.5 * kS}));
  EXPECT_EQ(ranks.numbers("whole"), (Numbers{4 * kS, kS}));
  const ReadColumns one = ask_columns(timed(), "api/0/ranks?metric=wall&by=self&most=1");
  EXPECT_EQ(one.numbers("whole"), (Numbers{4 * kS, kS}));  // also what is left out
}

TEST(RanksAnswer, TotalsCountRecursionOnce) {
  const ReadColumns ranks = ask_columns(timed(), "api/0/ranks?by=total&most=1");
  EXPECT_EQ(ranks.rows("function"), (Rows{0}));  // main: 4 s and 1 s
  EXPECT_EQ(ranks.numbers("value"), (Numbers{4 * kS, kS}));
  const ReadColumns all = ask_columns(timed(), "api/0/ranks?by=total");
  EXPECT_EQ(all.numbers("value"), (Numbers{4 * kS, kS, 3 * kS, kS}));
  EXPECT_EQ(ask_in_vain(timed(), "api/0/ranks?by=calls").first, 400);
}

TEST(TimelineAnswer, DividesTimeAmongKinds) {
  const ReadColumns timeline = ask_columns(timed(), "api/0/timeline?by=thread&buckets=4");
  EXPECT_EQ(timeline.rows("track"), (Rows{0, 1}));
  EXPECT_EQ(timeline.meta()["categories"], (std::vector<std::string>{"python", "native", "other"}));
  EXPECT_EQ(timeline.meta()["from"], 0);
  EXPECT_EQ(timeline.meta()["to"], 4);
  EXPECT_EQ(timeline.meta()["omitted"], 0);
  const auto activity = timeline.get<float>("activity");
  ASSERT_EQ(activity.size(), 2U * 3 * 4);
  const auto at = [&](int track, int kind, int bucket) {
    return activity[static_cast<std::size_t>((track * 3 + kind) * 4 + bucket)];
  };
  for (int bucket = 0; bucket < 4; ++bucket) {
    EXPECT_NEAR(at(0, 0, bucket), 0.6, 1e-6);
    EXPECT_NEAR(at(0, 1, bucket), 0.4, 1e-6);
    EXPECT_NEAR(at(0, 2, bucket), 0, 1e-6);
    EXPECT_NEAR(at(1, 0, bucket), bucket == 1 ? 0.6 : 0, 1e-6);
  }
}

TEST(TimelineAnswer, HasRegionsAndCounters) {
  const ReadColumns timeline = ask_columns(timed(), "api/0/timeline?buckets=2&from=0.5&to=2.5");
  EXPECT_EQ(timeline.numbers("region.start"), (Numbers{1}));
  EXPECT_EQ(timeline.numbers("region.duration"), (Numbers{1}));
  EXPECT_EQ(timeline.meta()["region_names"], (std::vector<std::string>{"step"}));
  EXPECT_EQ(timeline.meta()["counters"][0]["unit"], "bytes");
  EXPECT_EQ(timeline.numbers("counter0.time"), (Numbers{0, 2}));
  EXPECT_EQ(timeline.numbers("counter0.value"), (Numbers{100, 300}));
}

TEST(TimelineAnswer, AddsTheThreadsOfAProcess) {
  const ReadColumns timeline =
      ask_columns(timed(), "api/0/timeline?by=process&buckets=1&processes=1");
  EXPECT_EQ(timeline.rows("track"), (Rows{1}));
  EXPECT_NEAR(timeline.get<float>("activity")[0], 0.15, 1e-6);  // 0.6 s of 4 s
}

TEST(SamplesAnswer, JoinsNeighboursAtOnePosition) {
  const ReadColumns samples = ask_columns(timed(), "api/0/samples?thread=0&metric=wall,native");
  EXPECT_EQ(samples.numbers("time"), (Numbers{0, 3}));
  EXPECT_EQ(samples.numbers("end"), (Numbers{3, 4}));
  EXPECT_EQ(samples.rows("node"), (Rows{1, 3}));
  EXPECT_EQ(samples.numbers("weight:wall"), (Numbers{3 * kS, kS}));
  EXPECT_EQ(samples.numbers("weight:native"), (Numbers{1.2 * kS, 0.4 * kS}));
  EXPECT_EQ(ask_in_vain(timed(), "api/0/samples?thread=9").first, 404);
}

TEST(ExportAnswer, IsAFileToSave) {
  const Answer file =
      ask({view_of(profile_of_stacks({{"a:1;b:2", 5'000'000}}), "my run/\"x\".run")},
          "api/0/export?format=collapsed");
  EXPECT_EQ(file.attachment, "my_run__x_.collapsed");
  EXPECT_NE(file.body.find("b (b.py"), std::string::npos) << file.body;
  EXPECT_EQ(ask_in_vain(timed(), "api/0/export?format=tau").first, 400);
  EXPECT_EQ(ask_in_vain(timed(), "api/0/export?format=nonsense").first, 400);
}

TEST(ComparingAnswers, NeedTwoProfiles) {
  const ProfileVersions one = timed();
  EXPECT_EQ(ask_in_vain(one, "api/diff?before=0&after=1").first, 404);
  EXPECT_EQ(ask_in_vain(one, "api/scaling").first, 409);
  const ProfileVersions two = {view_of(TimedProfile().one_process()),
                               view_of(TimedProfile().finish())};
  const auto diff = ask_json(two, "api/diff?before=0&after=1&metric=wall&by=functions");
  EXPECT_EQ(diff["kind"], "pyrometer-diff");
  EXPECT_EQ(diff["total"]["after"], 5 * kS);
  const auto scaling = ask_json(two, "api/scaling?by=functions&metric=wall");
  EXPECT_EQ(scaling["counts"], (std::vector<int>{1, 2}));
  EXPECT_EQ(ask_in_vain({two[0], two[0]}, "api/scaling").first, 409);
}

TEST(AllAnswers, ComeForOddProfiles) {
  // Negative and huge values, call edges, all kinds of threads and functions, hostile names.
  ProfileBuilder builder;
  for (int rank = 0; rank < 4; ++rank) builder.add_profile(rank_profile(rank));
  const ProfileVersions profiles = {view_of(builder.finish()), view_of(Profile())};
  for (const char* request :
       {"summary", "tables", "values?metric=wall,peak", "values?threads=3", "functions?metric=peak",
        "calls", "lines", "source?file=0", "ranks?by=total", "parallel", "timeline?by=process",
        "export?format=json"}) {
    EXPECT_FALSE(ask(profiles, std::string("api/0/") + request).body.empty()) << request;
  }
  for (const char* request : {"summary", "tables", "lines", "timeline"}) {
    EXPECT_FALSE(ask(profiles, std::string("api/1/") + request).body.empty()) << request;
  }
}

}  // namespace
}  // namespace pyrometer

#include "json_profiles.h"

namespace pyrometer::testing {
namespace {

std::string speedscope(std::string_view profiles, std::string_view more = "") {
  return fmt::format(
      R"({{"shared":{{"frames":[{{"name":"main","file":"/w/a.py","line":3}},{{"name":"C.f"}}]}},)"
      R"({} "profiles":[{}]}})",
      more, profiles);
}

TEST(LoadSpeedscope, SamplesWithWeights) {
  const Profile profile = load_text(speedscope(
      R"({"type":"sampled","name":"t","unit":"milliseconds","startValue":5,"endValue":12,
          "samples":[[0],[0,1],[],[0,1]],"weights":[1,2.5,1,3]})"));
  EXPECT_EQ(values_of(profile, "wall"), (Values{{"main", 1'000'000}, {"main;C.f", 5'500'000}}));
  EXPECT_EQ(values_of(profile, "samples"), (Values{{"main", 1}, {"main;C.f", 2}}));
  EXPECT_TRUE(profile.is_sampled);
  EXPECT_EQ(profile.processes[0].duration, 7'500'000);
  EXPECT_EQ(place_of(profile, "main"), "python /w/a.py:3");
  EXPECT_EQ(profile.text(profile.functions[1].name), "f");
  ASSERT_EQ(profile.samples.size(), 1U);
  std::vector<std::int64_t> times;
  profile.samples[0].for_each([&](std::int64_t time, NodeId, std::span<const std::int64_t> values) {
    times.push_back(time);
    EXPECT_EQ(values.size(), 2U);
  });
  EXPECT_EQ(times, (std::vector<std::int64_t>{5'000'000, 6'000'000, 9'500'000}));
}

TEST(LoadSpeedscope, EventsOpenAndCloseFrames) {
  const Profile profile = load_text(speedscope(
      R"({"type":"evented","name":"t","unit":"seconds","startValue":0,"endValue":3,"events":[
          {"type":"O","frame":0,"at":0},{"type":"O","frame":1,"at":1},
          {"type":"C","frame":1,"at":1.25},{"type":"C","frame":0,"at":3}]})"));
  EXPECT_EQ(values_of(profile, "wall"),
            (Values{{"main", 2'750'000'000}, {"main;C.f", 250'000'000}}));
  EXPECT_FALSE(profile.is_sampled);
}

TEST(LoadSpeedscope, UnitsAreMetrics) {
  const auto with_unit = [](std::string_view unit) {
    return load_text(speedscope(fmt::format(
        R"({{"type":"sampled","name":"t","unit":"{}","samples":[[0]],"weights":[7]}})", unit)));
  };
  EXPECT_EQ(values_of(with_unit("nanoseconds"), "wall"), (Values{{"main", 7}}));
  EXPECT_EQ(values_of(with_unit("microseconds"), "wall"), (Values{{"main", 7'000}}));
  EXPECT_EQ(values_of(with_unit("bytes"), "allocated"), (Values{{"main", 7}}));
  EXPECT_EQ(values_of(with_unit("none"), "samples"), (Values{{"main", 7}}));
}

TEST(LoadSpeedscope, ProfilesAreThreadsOfProcesses) {
  constexpr std::string_view kOne = R"({{"type":"sampled","name":"{}","unit":"none",)"
                                    R"("samples":[[0]],"weights":[1]}})";
  const auto named = [&](std::string_view a, std::string_view b, std::string_view exporter) {
    const std::string both =
        fmt::format(fmt::runtime(kOne), a) + "," + fmt::format(fmt::runtime(kOne), b);
    return load_text(speedscope(both, fmt::format(R"("exporter":"{}",)", exporter)));
  };
  const Profile ranks = named("rank 3: main", "rank 4: main", "pyrometer");
  ASSERT_EQ(ranks.processes.size(), 2U);
  EXPECT_EQ(ranks.processes[1].rank, 4);
  EXPECT_EQ(ranks.text(ranks.threads[1].name), "main");
  const Profile spied =
      named("Process 12 Thread 34", "Process 12 Thread 56 \\\"helper\\\"", "py-spy@0.4.1");
  ASSERT_EQ(spied.processes.size(), 1U);
  EXPECT_EQ(spied.processes[0].pid, 12U);
  ASSERT_EQ(spied.threads.size(), 2U);
  EXPECT_EQ(spied.threads[1].tid, 56U);
  EXPECT_EQ(spied.text(spied.threads[1].name), "helper");
  // py-spy's lines are those that ran.
  EXPECT_EQ(values_of(spied, "samples"), (Values{{"main@3", 2}}));
  EXPECT_EQ(place_of(spied, "main"), "python /w/a.py:0");
}

TEST(LoadSpeedscope, WhatIsBrokenIsNamed) {
  const auto sampled = [](std::string_view samples, std::string_view weights) {
    return refusal(speedscope(fmt::format(
        R"({{"type":"sampled","unit":"none","samples":{},"weights":{}}})", samples, weights)));
  };
  const std::string start = "profile 1 of this speedscope file ";
  EXPECT_EQ(sampled("[[0],[1]]", "[1]"), start + "has not one weight for each sample");
  EXPECT_EQ(sampled("[[2]]", "[1]"), start + "has a sample with a frame that is not in the table");
  EXPECT_EQ(sampled("[[-1]]", "[1]"), start + "has a sample with a frame that is not in the table");
  EXPECT_EQ(sampled("[[0.5]]", "[1]"),
            start + "has a sample with a frame that is not in the table");
  EXPECT_EQ(sampled("[0]", "[1]"), start + "has a sample that is not a list of frames");
  EXPECT_EQ(sampled("[[0]]", "[-1]"), start + "has a weight that is not a positive number");
  EXPECT_EQ(sampled("[[0]]", "[\"1\"]"), start + "has a weight that is not a positive number");
  EXPECT_EQ(sampled("{}", "[]"), start + "has no samples");
  const auto evented = [](std::string_view events) {
    return refusal(
        speedscope(fmt::format(R"({{"type":"evented","unit":"none","events":[{}]}})", events)));
  };
  constexpr std::string_view kOpen = R"({"type":"O","frame":0,"at":5})";
  const auto after_open = [&](std::string_view event) {
    return evented(fmt::format("{},{}", kOpen, event));
  };
  EXPECT_EQ(evented(kOpen), start + "ends with frames that are still open");
  EXPECT_EQ(after_open(R"({"type":"C","frame":1,"at":6})"),
            start + "closes a frame that is not the innermost open one");
  EXPECT_EQ(after_open(R"({"type":"C","frame":0,"at":4})"),
            start + "has an event that lies before the one above it");
  EXPECT_EQ(after_open(R"({"type":"C","frame":0})"), start + "has an event without a time");
  EXPECT_EQ(after_open(R"({"type":"X","frame":0,"at":6})"),
            start + "has an event that neither opens nor closes a frame");
  EXPECT_EQ(refusal(speedscope(R"({"type":"sampled","unit":"furlongs"})")),
            start + "has a unit that speedscope does not know");
  EXPECT_EQ(refusal(R"({"shared":{"frames":[3]},"profiles":[{}]})"),
            "frame 0 of this speedscope file is not an object");
  EXPECT_EQ(refusal(R"({"shared":{},"profiles":[{}]})"),
            "this speedscope file has no table of frames");
}

TEST(LoadSpeedscope, HugeNumbersStayNumbers) {
  const Profile profile = load_text(speedscope(
      R"({"type":"sampled","unit":"seconds","samples":[[0],[0]],"weights":[1e300,1e300]})"));
  EXPECT_GT(values_of(profile, "wall")["main"], 0);
}

}  // namespace
}  // namespace pyrometer::testing

// Samples as calls in time, and the formats that show them.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "export/exporter.h"
#include "export/stacks_in_time.h"
#include "export/track_numbers.h"
#include "support/profile_of_stacks.h"

namespace pyrometer {
namespace {

using testing::profile_of_stacks;

std::string joined(const Profile& profile, const ThreadSamples& samples) {
  std::string text;
  const auto calls = join_stacks(profile, samples).value();
  for (const CallTrack::Call& call : calls) {
    text += fmt::format("{} {}+{}\n", profile.text(profile.function_of(call.node).name), call.start,
                        call.duration);
  }
  return text;
}

ThreadSamples samples_of(const Profile& profile) {
  const Overview overview = make_overview(profile, MetricId(0));
  return make_thread_samples(overview, TreeIndex(profile), ThreadId(0));
}

TEST(StacksInTime, NeighboursShareTheirCalls) {
  const Profile profile = profile_of_stacks(
      {{"main:1;a:1", 5}, {"main:1;a:2;b:1", 7}, {"main:2;a:1", 1}, {"main:2;c:1", 3}});
  const ThreadSamples samples = samples_of(profile);
  EXPECT_FALSE(samples.is_in_time);
  EXPECT_EQ(joined(profile, samples), "main 0+16\na 0+13\nb 5+7\nc 13+3\n");
}

TEST(StacksInTime, SamplesCoverTheTimeBeforeThem) {
  Profile profile = profile_of_stacks({{"main:1", 10}, {"main:2;a:1", 20}});
  SampleTrack track(ThreadId(0), {MetricId(0)});
  const auto append = [&](std::int64_t time, std::uint32_t node, std::int64_t value) {
    track.append(time, NodeId(node), std::span(&value, 1));
  };
  append(110, 0, 5);   // 105..110
  append(120, 2, 10);  // 110..120
  append(125, 2, 10);  // late: moved to 120..130
  append(205, 0, 5);   // after a gap
  profile.samples.push_back(std::move(track));
  const ThreadSamples samples = samples_of(profile);
  EXPECT_TRUE(samples.is_in_time);
  EXPECT_EQ(joined(profile, samples), "main 105+25\na 110+20\nmain 200+5\n");
}

TEST(StacksInTime, TotalsComeBeforeTimes) {
  Profile profile = profile_of_stacks({{"main:1", 10}});
  SampleTrack track(ThreadId(0), {MetricId(0)});
  const std::int64_t value = 4;  // the rest was not kept
  track.append(100, NodeId(0), std::span(&value, 1));
  profile.samples.push_back(std::move(track));
  const ThreadSamples samples = samples_of(profile);
  EXPECT_FALSE(samples.is_in_time);
  ASSERT_EQ(samples.positions.size(), 1U);
  EXPECT_EQ(samples.positions[0].weight, 10);
}

TEST(StacksInTime, VeryDeepStacks) {
  std::string path = "f:1";
  for (int i = 1; i < 60'000; ++i) path += ";f:1";
  const Profile profile = profile_of_stacks({{path, 3}, {"g:1", 4}});
  const auto calls = join_stacks(profile, samples_of(profile)).value();
  ASSERT_EQ(calls.size(), 60'001U);
  EXPECT_EQ(calls[59'999].duration, 3);
  EXPECT_EQ(calls[60'000].start, 3);
}

TEST(TrackNumbers, ThoseOfTheSystemUnlessTheyAreEqual) {
  Profile profile = profile_of_stacks({{"main:1", 1}});
  EXPECT_EQ(process_numbers(profile), (std::vector<std::uint64_t>{7}));
  profile.processes.push_back(profile.processes[0]);  // a rank on another machine
  EXPECT_EQ(process_numbers(profile), (std::vector<std::uint64_t>{1, 2}));
  profile.threads[0].tid = 0;
  EXPECT_EQ(thread_numbers(profile), (std::vector<std::uint64_t>{1}));
}

TEST(Chrome, AggregatedTracksSayThatTheyAre) {
  const Profile profile = profile_of_stacks({{"main:3", 50'000}, {"main:4;solve:21", 700'500}});
  EXPECT_EQ(
      export_chrome(make_overview(profile, MetricId(0))).value(),
      "{\"displayTimeUnit\":\"ns\",\"otherData\":{\"exporter\":\"pyrometer\",\"metric\":\"wall\","
      "\"unit\":\"ns\"},\"traceEvents\":["
      "{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":7,\"tid\":0,"
      "\"args\":{\"name\":\"process 7 on node\"}},"
      "{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":7,\"tid\":7,"
      "\"args\":{\"name\":\"MainThread (aggregated, not in time)\"}},"
      "{\"ph\":\"X\",\"name\":\"main\",\"cat\":\"main.py:1\",\"pid\":7,\"tid\":7,\"ts\":0,"
      "\"dur\":750.5},"
      "{\"ph\":\"X\",\"name\":\"solve\",\"cat\":\"solve.py:1\",\"pid\":7,\"tid\":7,\"ts\":50,"
      "\"dur\":700.5}]}\n");
}

TEST(Firefox, TablesOfAThread) {
  const Profile profile =
      profile_of_stacks({{"main:3", 5'000'000}, {"main:4;solve:21", 70'000'000}});
  const std::string json = export_firefox(make_overview(profile, MetricId(0))).value();
  for (const char* part :
       {"\"samples\":{\"length\":2,\"weightType\":\"tracing-ms\",\"stack\":[0,2],\"time\":[0,5],"
        "\"weight\":[5,70]}",
        "\"stackTable\":{\"length\":3,\"frame\":[0,1,2],\"category\":[1,1,1],"
        "\"subcategory\":[0,0,0],\"prefix\":[null,null,1]}",
        "\"func\":[0,0,1],\"line\":[3,4,21]", "\"preprocessedProfileVersion\":57"}) {
    EXPECT_NE(json.find(part), std::string::npos) << part << "\n" << json;
  }
}

}  // namespace
}  // namespace pyrometer

// What the view learns about memory, of programs whose answers are known.
#include <cmath>

#include "serve/page_requests.h"
#include "serve/view_of.h"
#include "support/memory_profile.h"
#include "support/profile_of_stacks.h"

namespace pyrometer {
namespace {

using testing::ask_columns;
using testing::MemoryProfile;
using testing::ReadColumns;
using testing::view_of;
using Rows = std::vector<std::uint32_t>;
using Numbers = std::vector<double>;
constexpr std::int64_t kMiB = MemoryProfile::kMiB;
constexpr double kM = kMiB;
constexpr std::uint32_t kNone = 0xffffffffU;

MemoryProfile::Points every_tenth(double rate) {
  MemoryProfile::Points points;
  for (int i = 1; i <= 100; ++i) {
    points.emplace_back(i / 10.0, static_cast<std::int64_t>(rate * i / 10.0));
  }
  return points;
}

// Loads through a library, remembers more and more, and steps with temporaries.
void record_leak(MemoryProfile& program, double rate, double start = 0) {
  program.begin_process({{"memory.mode", "sampled"},
                         {"memory.sample-bytes", "524288"},
                         {"memory.heap-peak", std::to_string(700 * kMiB)},
                         {"memory.heap-peak-time", std::to_string(58 * MemoryProfile::kSecond)},
                         {"memory.limit", std::to_string(1000 * kMiB)},
                         {"memory.sizes", "6:100 24:2560"}},
                        start);
  program.set("main:3;np_ones:7", "peak", 600 * kMiB);
  program.set("main:3;np_ones:7", "peak-numpy", 600 * kMiB);
  program.set("main:3;np_ones:7", "live", 600 * kMiB);
  program.set("main:3;np_ones:7", "allocated", 600 * kMiB);
  program.set("main:4;step:9;malloc", "temporary", 900 * kMiB);
  program.set("main:4;step:9;malloc", "allocated", 900 * kMiB);
  program.set("main:4;step:9;malloc", "allocations", 30);
  program.set("main:4;remember:2", "peak", 100 * kMiB);
  program.set("main:4;remember:2", "live", 100 * kMiB);
  program.live("main:3;np_ones:7", {{0.5, 600 * kMiB}});
  program.live("main:4;remember:2", every_tenth(rate));
  program.counter("heap", {{1, 600 * kMiB}, {8, 690 * kMiB}});
  program.counter("memory", {{1, 300 * kMiB}, {9, 500 * kMiB}});
}

Profile leak() {
  MemoryProfile program;
  record_leak(program, 10.0 * kM);
  return program.finish();
}

std::vector<std::string> names_of(const ProfileVersions& profiles, const Rows& functions) {
  const Profile& profile = profiles[0].profile->summary();
  std::vector<std::string> names;
  for (const std::uint32_t row : functions) {
    names.emplace_back(row == kNone ? "" : profile.text(profile.functions[row].name));
  }
  return names;
}

TEST(MemoryAnswer, HasTheFiguresOfEachPlaceThoseWithMostOfThePeakFirst) {
  const ProfileVersions profiles = {view_of(leak())};
  const ReadColumns all = ask_columns(profiles, "api/0/memory");
  EXPECT_EQ(names_of(profiles, all.rows("place.function")),
            (std::vector<std::string>{"np_ones", "remember", "step"}));
  EXPECT_EQ(all.rows("place.line"), (Rows{7, 2, 9}));
  EXPECT_EQ(names_of(profiles, all.rows("place.caller")),
            (std::vector<std::string>{"main", "", ""}));
  EXPECT_EQ(all.rows("place.caller-line")[0], 3U);
  EXPECT_EQ(all.numbers("place.peak"), (Numbers{600 * kM, 100 * kM, 0}));
  EXPECT_EQ(all.numbers("place.peak-numpy"), (Numbers{600 * kM, 0, 0}));
  EXPECT_EQ(all.numbers("place.temporary"), (Numbers{0, 0, 900 * kM}));
  EXPECT_EQ(all.numbers("place.allocations"), (Numbers{0, 0, 30}));
  EXPECT_EQ(all.meta()["total"]["peak"], 700 * kMiB);
  EXPECT_EQ(all.meta()["total"]["allocated"], 1500 * kMiB);
  EXPECT_EQ(all.meta()["places_left_out"], 0);
}

TEST(MemoryAnswer, TellsWhatWasLiveWhenAndWhatGrows) {
  const ReadColumns all = ask_columns({view_of(leak())}, "api/0/memory");
  const Numbers moments = all.numbers("moment.time");
  ASSERT_EQ(moments.size(), 100U);
  EXPECT_DOUBLE_EQ(moments[4], 0.5);
  // What does not change is said once.
  const Rows places = all.rows("live.place");
  ASSERT_EQ(places.size(), 101U);
  EXPECT_EQ(places[0], 0U);
  EXPECT_EQ(all.rows("live.moment")[0], 4U);
  EXPECT_EQ(all.numbers("live.bytes")[0], 600 * kM);
  EXPECT_EQ(places[100], 1U);
  EXPECT_EQ(all.rows("live.moment")[100], 99U);
  EXPECT_EQ(all.numbers("live.bytes")[100], 100 * kM);
  EXPECT_EQ(all.rows("growing.place"), (Rows{1}));
  EXPECT_NEAR(all.numbers("growing.rate")[0], 10 * kM, 0.2 * kM);
  EXPECT_EQ(all.numbers("growing.live"), (Numbers{100 * kM}));
  EXPECT_EQ(all.rows("growing.processes"), (Rows{1}));
}

TEST(MemoryAnswer, HasThePeaksLimitsAndSizesOfAProcess) {
  const ReadColumns all = ask_columns({view_of(leak())}, "api/0/memory");
  EXPECT_EQ(all.numbers("process.heap"), (Numbers{700 * kM}));
  EXPECT_EQ(all.numbers("process.heap-time"), (Numbers{8}));
  EXPECT_EQ(all.numbers("process.resident"), (Numbers{500 * kM}));
  EXPECT_EQ(all.numbers("process.limit"), (Numbers{1000 * kM}));
  EXPECT_TRUE(std::isnan(all.numbers("process.physical")[0]));
  EXPECT_EQ(all.rows("size.bits"), (Rows{6, 24}));
  EXPECT_EQ(all.numbers("size.count"), (Numbers{100, 2560}));
  EXPECT_EQ(all.meta()["mode"], "sampled");
  EXPECT_EQ(all.meta()["sample_bytes"], 524288);
  EXPECT_EQ(all.meta()["duration"], 10.0);
  EXPECT_TRUE(all.meta()["heap_together"].is_null());
  EXPECT_EQ(all.meta()["available"]["bytes"], 1000 * kMiB);
  EXPECT_EQ(all.meta()["available"]["is_limit"], true);
}

TEST(MemoryAnswer, CurvesOfProcessesFollowTheOneOfAllTogether) {
  MemoryProfile program;
  record_leak(program, 10.0 * kM);
  record_leak(program, 10.0 * kM, 1.0);
  const ReadColumns all = ask_columns({view_of(program.finish())}, "api/0/memory");
  EXPECT_EQ(all.rows("curve.process"), (Rows{kNone, kNone, 0, 0, 1, 1}));
  EXPECT_EQ(all.get<std::uint8_t>("curve.kind"), (std::vector<std::uint8_t>{1, 0, 1, 0, 1, 0}));
  const Rows ends = all.rows("curve.end");
  ASSERT_EQ(ends.size(), 6U);
  EXPECT_EQ(ends.back(), all.numbers("point.time").size());
  const Numbers bytes = all.numbers("point.bytes");
  EXPECT_EQ(*std::max_element(bytes.begin(), bytes.begin() + ends[0]), 1290 * kM);
  EXPECT_EQ(all.meta()["heap_together"]["bytes"], 1290 * kMiB);
  EXPECT_EQ(all.meta()["heap_together"]["time"], 8.0);
  EXPECT_EQ(all.meta()["curves_left_out"], 0);
  EXPECT_EQ(all.rows("growing.processes"), (Rows{2}));
}

TEST(MemoryAnswer, OfOneProcessHasTheRowsOfTheWhole) {
  MemoryProfile program;
  record_leak(program, 10.0 * kM);
  record_leak(program, 20.0 * kM, 1.0);
  const ProfileVersions profiles = {view_of(program.finish())};
  const ReadColumns whole = ask_columns(profiles, "api/0/memory");
  const ReadColumns second = ask_columns(profiles, "api/0/memory?processes=1");
  EXPECT_EQ(second.rows("place.function"), whole.rows("place.function"));
  EXPECT_EQ(second.numbers("place.peak"), (Numbers{600 * kM, 100 * kM, 0}));
  EXPECT_EQ(whole.numbers("place.peak"), (Numbers{1200 * kM, 200 * kM, 0}));
  EXPECT_EQ(second.rows("process.row"), (Rows{1}));
  EXPECT_EQ(second.rows("curve.process"), (Rows{1, 1}));
  EXPECT_NEAR(second.numbers("growing.rate")[0], 20 * kM, 0.4 * kM);
  EXPECT_EQ(second.meta()["is_of_some"], true);
  EXPECT_TRUE(second.meta()["spread"].is_null());
  EXPECT_EQ(whole.meta()["is_of_some"], false);
  EXPECT_EQ(whole.meta()["spread"]["of"], "ranks");
  EXPECT_TRUE(whole.meta()["available"].is_null());  // each has a limit of its own
  EXPECT_EQ(whole.meta()["spread"]["most"], 700 * kMiB);
  EXPECT_EQ(whole.meta()["spread"]["imbalance"], 1.0);
  EXPECT_EQ(testing::ask_in_vain(profiles, "api/0/memory?processes=2").first, 400);
}

TEST(MemoryAnswer, IsBoundedHoweverLongAndWideTheRun) {
  MemoryProfile program;
  for (int rank = 0; rank < 30; ++rank) {
    program.begin_process({}, rank / 100.0);
    MemoryProfile::Points points;
    for (int i = 0; i < 5000; ++i) points.emplace_back(i / 500.0, (i % 7 + rank) * kMiB);
    program.counter("heap", points);
    for (int place = 0; place < 10; ++place) {
      program.live("main:1;f" + std::to_string(rank) + "_" + std::to_string(place) + ":1",
                   every_tenth(kM));
    }
  }
  const ReadColumns all = ask_columns({view_of(program.finish())}, "api/0/memory");
  EXPECT_EQ(all.rows("curve.process").size(), 9U);  // all together, and eight
  EXPECT_EQ(all.meta()["curves_left_out"], 22);
  EXPECT_LE(all.numbers("point.time").size(), 9U * 2000);
  EXPECT_LE(all.numbers("moment.time").size(), 1000U);
  EXPECT_EQ(all.meta()["tracks_left_out"], 100);
}

TEST(MemoryAnswer, ProfilesWithoutMemoryHaveNone) {
  const ReadColumns all =
      ask_columns({view_of(testing::profile_of_stacks({{"f:1", 5}}))}, "api/0/memory");
  EXPECT_TRUE(all.rows("place.function").empty());
  EXPECT_TRUE(all.rows("process.row").empty());
  EXPECT_TRUE(all.rows("curve.process").empty());
}

TEST(MemoryAnswer, PagesCarryIt) {
  const auto has_memory = [](Profile profile) {
    const auto answers = answers_for_page({view_of(std::move(profile))}, true);
    return answers && std::any_of(answers->begin(), answers->end(), [](const PageAnswer& each) {
             return each.request == "api/0/memory";
           });
  };
  EXPECT_TRUE(has_memory(leak()));
  MemoryProfile ranks;
  record_leak(ranks, 10.0 * kM);
  record_leak(ranks, 10.0 * kM);
  const auto answers = answers_for_page({view_of(ranks.finish())}, true);
  ASSERT_TRUE(answers);
  EXPECT_EQ(std::count_if(answers->begin(), answers->end(),
                          [](const PageAnswer& each) {
                            return each.request.starts_with("api/0/memory?processes=");
                          }),
            2);
  EXPECT_FALSE(has_memory(testing::profile_of_stacks({{"f:1", 5}})));
}

TEST(LinesAnswer, HasWhatHappenedInsideLines) {
  MemoryProfile program;
  program.begin_process();
  ProfileBuilder& builder = program.builder();
  const NodeId node = program.node("main:3");
  const FunctionId function = builder.profile().nodes[node.row()].function;
  const MetricId peak = builder.metric({"line-peak", Unit::kBytes, Combine::kMax});
  const MetricId temporary = builder.metric({"line-temporary", Unit::kBytes});
  for (const std::int64_t value : {30, 20}) {
    builder.profile().line_values.push_back({program.thread(), peak, function, 3, value});
    builder.profile().line_values.push_back({program.thread(), temporary, function, 3, value});
  }
  const ReadColumns all = ask_columns({view_of(program.finish())}, "api/0/lines");
  EXPECT_EQ(all.numbers("peak"), (Numbers{30}));
  EXPECT_EQ(all.numbers("temporary"), (Numbers{50}));
}

}  // namespace
}  // namespace pyrometer

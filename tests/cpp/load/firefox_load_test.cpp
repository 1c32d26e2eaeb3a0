#include "json_profiles.h"

namespace pyrometer::testing {
namespace {

// One thread; `tables` go into it or, with `shared`, beside it.
std::string processed(std::string_view tables, std::string_view samples, std::string_view shared,
                      std::string_view meta = "") {
  return fmt::format(
      R"({{"meta":{{"interval":2{}}},"shared":{{{}}},"threads":[{{"name":"main","pid":"12","tid":34,)"
      R"({} "samples":{}}}]}})",
      meta, shared, tables, samples);
}

constexpr std::string_view kTables = R"(
  "stackTable":{"frame":[0,1],"prefix":[null,0],"length":2},
  "frameTable":{"func":[0,1],"line":[5,null],"length":2},
  "resourceTable":{"name":[3],"lib":[null]},
  "funcTable":{"name":[0,1],"fileName":[2,null],"lineNumber":[4,null],"resource":[-1,0],"length":2})";
constexpr std::string_view kStrings = R"("stringArray":["main","read","/w/a.py","libc.so.6"])";
constexpr std::string_view kSamples = R"({"stack":[0,1,null,1],"time":[0,2,4,6],"length":4})";

TEST(LoadFirefox, TablesOfTheThreadOrShared) {
  const std::string own = fmt::format("{},{},", kTables, kStrings);
  const std::string all = fmt::format("{},{}", kTables, kStrings);
  const std::string texts[] = {
      processed(own, kSamples, ""),
      processed(fmt::format("{},", kTables), kSamples, kStrings),
      processed("", kSamples, all),
  };
  for (const std::string& text : texts) {
    const Profile profile = load_text(text);
    EXPECT_EQ(values_of(profile, "wall"),
              (Values{{"main@5", 2'000'000}, {"main@5;read", 4'000'000}}));
    EXPECT_EQ(values_of(profile, "samples"), (Values{{"main@5", 1}, {"main@5;read", 2}}));
    EXPECT_EQ(place_of(profile, "main"), "python /w/a.py:4");
    EXPECT_EQ(place_of(profile, "read"), "native libc.so.6:0");
    EXPECT_EQ(profile.processes[0].pid, 12U);
    EXPECT_EQ(profile.threads[0].tid, 34U);
    EXPECT_EQ(profile.processes[0].duration, 8'000'000);
    ASSERT_EQ(profile.samples.size(), 1U);
    EXPECT_EQ(profile.samples[0].size(), 3U);
  }
}

TEST(LoadFirefox, SourcesOfNewerVersions) {
  const Profile profile = load_text(
      processed("", R"({"stack":[0],"timeDeltas":[3],"length":1})",
                R"("stackTable":{"frame":[0],"prefix":[null]},"frameTable":{"func":[0],"line":[5]},
         "funcTable":{"name":[0],"source":[0],"lineNumber":[4]},"sources":{"filename":[1]},
         "stringArray":["f","/w/b.py"])"));
  EXPECT_EQ(place_of(profile, "f"), "python /w/b.py:4");
}

TEST(LoadFirefox, WeightsAndCpuTimes) {
  const std::string shared = fmt::format("{},{}", kTables, kStrings);
  const auto weighted = [&](std::string_view type) {
    return load_text(
        processed("",
                  fmt::format(R"({{"stack":[0,1],"time":[0,1],"weight":[3,5],"weightType":"{}",
                            "threadCPUDelta":[7,null]}})",
                              type),
                  shared, R"(,"sampleUnits":{"threadCPUDelta":"µs"})"));
  };
  EXPECT_EQ(values_of(weighted("samples"), "samples"), (Values{{"main@5", 3}, {"main@5;read", 5}}));
  EXPECT_EQ(values_of(weighted("samples"), "wall"),
            (Values{{"main@5", 6'000'000}, {"main@5;read", 10'000'000}}));
  EXPECT_EQ(values_of(weighted("tracing-ms"), "wall"),
            (Values{{"main@5", 3'000'000}, {"main@5;read", 5'000'000}}));
  EXPECT_EQ(values_of(weighted("bytes"), "allocated"), (Values{{"main@5", 3}, {"main@5;read", 5}}));
  EXPECT_EQ(values_of(weighted("samples"), "cpu"), (Values{{"main@5", 7'000}}));
}

TEST(LoadFirefox, GeckosOwnLayout) {
  const Profile profile = load_text(R"json({"meta":{"interval":1,"version":24},"libs":[],
    "threads":[{"name":"python","tid":5,"pid":4,
      "samples":{"schema":{"stack":0,"time":1},"data":[[1,10.5],[0,11.5],[1]]},
      "stackTable":{"schema":{"prefix":0,"frame":1},"data":[[null,0],[0,1]]},
      "frameTable":{"schema":{"location":0,"line":3},"data":[[0],[1]]},
      "markers":{"schema":{"name":0},"data":[[0],[0]]},
      "stringTable":["run (/w/a.py:7)","cfunc (in libm.so.6)"]}],
    "processes":[{"meta":{"interval":1},"threads":[{"name":"child","tid":9,"pid":8,
      "samples":{"schema":{"stack":0},"data":[[0]]},
      "stackTable":{"schema":{"prefix":0,"frame":1},"data":[[null,0]]},
      "frameTable":{"schema":{"location":0},"data":[[0]]},"stringTable":["0x7f00"]}]}]
})json");
  EXPECT_EQ(values_of(profile, "wall"),
            (Values{{"run@7", 1'000'000}, {"run@7;cfunc", 2'000'000}, {"0x7f00", 1'000'000}}));
  EXPECT_EQ(place_of(profile, "cfunc"), "native libm.so.6:0");
  EXPECT_EQ(profile.processes.size(), 2U);
  EXPECT_EQ(profile.notes,
            (std::vector<std::string>{"2 markers of this Firefox profile were left out"}));
}

TEST(LoadFirefox, WhatIsBrokenIsNamed) {
  const auto with = [](std::string_view stacks, std::string_view frames, std::string_view samples) {
    return refusal(processed(
        "", samples,
        fmt::format(
            R"("stackTable":{},"frameTable":{},"funcTable":{{"name":[0]}},"stringArray":["f"])",
            stacks, frames)));
  };
  constexpr std::string_view kStack = R"({"frame":[0],"prefix":[null]})";
  constexpr std::string_view kFrame = R"({"func":[0]})";
  constexpr std::string_view kSample = R"({"stack":[0]})";
  const std::string start = "thread 1 of this Firefox profile ";
  EXPECT_EQ(with(R"({"frame":[0],"prefix":[0]})", kFrame, kSample),
            start + "has a stack that does not follow its prefix");
  EXPECT_EQ(with(R"({"frame":[9],"prefix":[null]})", kFrame, kSample),
            start + "has a stack with a frame that is not in the table");
  EXPECT_EQ(with(kStack, R"({"func":[-1]})", kSample),
            start + "has a frame whose function is not in the table");
  EXPECT_EQ(with(kStack, kFrame, R"({"stack":[1]})"),
            start + "has a sample whose stack is not in the table");
  EXPECT_EQ(with(kStack, kFrame, "[]"), start + "has no samples");
  EXPECT_EQ(refusal(R"({"meta":{},"threads":[]})"), "this Firefox profile has no threads");
  EXPECT_EQ(refusal(R"({"meta":{},"threads":[3]})"), start + "is not an object");
}

}  // namespace
}  // namespace pyrometer::testing

#include "json_profiles.h"

namespace pyrometer::testing {
namespace {

TEST(LoadChrome, CallsNestByTime) {
  // The inner call stands first, as tools write a call when it ends.
  const Profile profile = load_text(R"json({"traceEvents":[
    {"ph":"M","name":"process_name","pid":7,"args":{"name":"rank 2, process 7 on node1"}},
    {"ph":"M","name":"thread_name","pid":7,"tid":8,"args":{"name":"MainThread"}},
    {"ph":"M","name":"thread_name","pid":7,"tid":6,"args":{"name":"without calls"}},
    {"ph":"X","name":"inner (/w/a.py:12)","cat":"FEE","pid":7,"tid":8,"ts":10.5,"dur":2.25},
    {"ph":"X","name":"inner (/w/a.py:12)","cat":"FEE","pid":7,"tid":8,"ts":20,"dur":1},
    {"ph":"X","name":"builtins.len","cat":"FEE","pid":7,"tid":8,"ts":20.25,"dur":0.5},
    {"ph":"X","name":"outer (/w/a.py:3)","cat":"FEE","pid":7,"tid":8,"ts":10,"dur":30},
    {"ph":"X","name":"inner (/w/a.py:12)","cat":"FEE","pid":7,"tid":9,"ts":11,"dur":1}]
})json");
  EXPECT_EQ(values_of(profile, "wall"), (Values{{"outer", 26'750},
                                                {"outer;inner", 2'750},
                                                {"outer;inner;builtins.len", 500},
                                                {"inner", 1'000}}));
  EXPECT_EQ(
      values_of(profile, "calls"),
      (Values{{"outer", 1}, {"outer;inner", 2}, {"outer;inner;builtins.len", 1}, {"inner", 1}}));
  EXPECT_EQ(place_of(profile, "inner"), "python /w/a.py:12");
  EXPECT_EQ(place_of(profile, "builtins.len"), "builtin :0");
  ASSERT_EQ(profile.processes.size(), 1U);
  EXPECT_EQ(profile.processes[0].rank, 2);
  EXPECT_EQ(profile.processes[0].host, "node1");
  EXPECT_EQ(profile.processes[0].duration, 30'000);
  ASSERT_EQ(profile.threads.size(), 2U);
  EXPECT_EQ(profile.text(profile.threads[0].name), "MainThread");
  EXPECT_EQ(profile.threads[1].tid, 9U);
  ASSERT_EQ(profile.calls.size(), 2U);
  EXPECT_EQ(profile.calls[0].calls.size(), 4U);
  EXPECT_EQ(profile.calls[0].calls[1].start, 10'500);
  EXPECT_TRUE(
      load_text(R"([{"ph":"X","name":"f","ts":1,"dur":1}])", Detail::kValues).calls.empty());
}

TEST(LoadChrome, BeginningsAndEnds) {
  // All in one microsecond: the order of the events is all there is.
  const Profile profile = load_text(R"([
    {"ph":"B","name":"a","pid":1,"tid":1,"ts":5},{"ph":"B","name":"b","pid":1,"tid":1,"ts":5},
    {"ph":"E","name":"b","pid":1,"tid":1,"ts":5},{"ph":"B","name":"c","pid":1,"tid":1,"ts":5},
    {"ph":"E","pid":1,"tid":1,"ts":7},{"ph":"E","name":"a","pid":1,"tid":1,"ts":9}])");
  EXPECT_EQ(values_of(profile, "calls"), (Values{{"a", 1}, {"a;b", 1}, {"a;c", 1}}));
  EXPECT_EQ(values_of(profile, "wall"), (Values{{"a", 2'000}, {"a;c", 2'000}}));
  EXPECT_TRUE(profile.notes.empty());
}

TEST(LoadChrome, SamplersHaveNoCalls) {
  const Profile profile = load_text(R"([
    {"args":{"filename":"/w/a.py","line":4},"cat":"py-spy","name":"f","ph":"B","pid":1,"tid":0,"ts":0},
    {"args":{"filename":"/w/a.py","line":4},"cat":"py-spy","name":"f","ph":"E","pid":1,"tid":0,"ts":9}
  ])");
  EXPECT_EQ(values_of(profile, "wall"), (Values{{"f@4", 9'000}}));
  EXPECT_TRUE(profile.is_sampled);
  EXPECT_FALSE(profile.find_metric("calls"));
}

TEST(LoadChrome, NamesOfPyTorch) {
  const Profile profile = load_text(R"({"traceEvents":[{"ph":"X","cat":"python_function",
    "name":"torch/nn/module.py(1501): _call_impl","pid":"Spans","tid":"stream 7","ts":1,"dur":1}]})");
  EXPECT_EQ(place_of(profile, "_call_impl"), "python torch/nn/module.py:1501");
  EXPECT_EQ(profile.text(profile.threads[0].name), "stream 7");
}

TEST(LoadChrome, FaultsAreCountedNotFatal) {
  const Profile profile = load_text(R"([
    {"ph":"E","name":"stray","pid":1,"tid":1,"ts":1},
    {"ph":"B","name":"a","pid":1,"tid":1,"ts":2},{"ph":"B","name":"b","pid":1,"tid":1,"ts":3},
    {"ph":"E","name":"a","pid":1,"tid":1,"ts":5},
    {"ph":"B","name":"open","pid":1,"tid":1,"ts":6},
    {"ph":"X","name":"backwards","pid":1,"tid":1,"ts":6,"dur":-3},
    {"ph":"X","name":"timeless","pid":1,"tid":1,"ts":"now"},
    {"ph":"i","name":"note","pid":1,"tid":1,"ts":6},{"ph":"C","pid":1,"ts":6}, 3])");
  EXPECT_EQ(values_of(profile, "wall"), (Values{{"a", 1'000}, {"a;b", 2'000}}));
  EXPECT_EQ(profile.notes,
            (std::vector<std::string>{"3 events without a sound time were left out",
                                      "3 calls have only a beginning or only an end in this trace",
                                      "2 events that are not calls (C, i) were left out"}));
}

TEST(LoadChrome, CallsThatOutliveTheirCallerEndWithIt) {
  const Profile profile = load_text(R"([{"ph":"X","name":"a","ts":0,"dur":10},
    {"ph":"X","name":"b","ts":5,"dur":10},{"ph":"X","name":"c","ts":9,"dur":1.001}])");
  EXPECT_EQ(values_of(profile, "wall"), (Values{{"a", 5'000}, {"a;b", 4'000}, {"a;b;c", 1'000}}));
  EXPECT_EQ(profile.notes,
            (std::vector<std::string>{
                "1 calls end after their caller in this trace; they were shortened"}));
}

TEST(LoadChrome, MayEndAnywhere) {
  const std::string first = R"({"ph":"X","name":"a","ts":0,"dur":1})";
  for (const std::string start : {"[", "{\"traceEvents\": ["}) {
    const Profile without_end = load_text(start + first + ",\n");
    EXPECT_EQ(without_end.processes[0].status, ProcessStatus::kFinished);
    for (std::size_t cut = 1; cut < first.size(); ++cut) {
      const Profile profile = load_text(start + first + "," + first.substr(0, cut));
      EXPECT_EQ(values_of(profile, "calls"), (Values{{"a", 1}})) << cut;
      EXPECT_EQ(profile.processes[0].status, ProcessStatus::kTruncated);
    }
    EXPECT_NE(refusal(start + first.substr(0, 20)), "");
  }
}

TEST(LoadChrome, WithoutCallsThereIsNoProfile) {
  EXPECT_EQ(refusal(R"({"traceEvents":[{"ph":"i","ts":1}]})"),
            "this trace has no calls (events B, E or X) that could be a profile");
}

}  // namespace
}  // namespace pyrometer::testing

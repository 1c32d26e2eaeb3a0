// Collapsed stacks, pprof and callgrind files as profiles.
#include <gtest/gtest.h>

#include <map>

#include "load/callgrind.h"
#include "load/collapsed.h"
#include "load/load.h"
#include "load/pprof.h"
#include "profile/totals.h"
#include "support/pprof_bytes.h"
#include "support/temporary_folder.h"

namespace pyrometer {
namespace {

using testing::PprofBytes;
using Values = std::map<std::string, std::int64_t>;

// "thread: f@3;g@5" -> value.
Values values_of(const Profile& profile, std::string_view name) {
  std::vector<std::string> paths;
  for (const Node& node : profile.nodes) {
    const std::string above = node.parent.is_none() ? "" : paths[node.parent.row()] + ";";
    const Function& function = profile.functions[node.function.row()];
    paths.push_back(fmt::format("{}{}@{}", above, profile.text(function.name), node.line));
  }
  Values values;
  const MetricId metric = profile.find_metric(name).value();
  for (std::size_t i = 0; i < profile.threads.size(); ++i) {
    const Thread& thread = profile.threads[i];
    for (const Cell& cell : profile.thread_cells[i][metric.row()]) {
      values[fmt::format("{}/{}: {}", profile.processes[thread.process.row()].pid,
                         profile.text(thread.name), paths[cell.node.row()])] = cell.value;
    }
  }
  return values;
}

Profile stacks(std::string_view text) { return load_collapsed_bytes(text).value(); }

TEST(LoadCollapsed, PySpy) {
  const Profile profile = stacks(
      "process 1:\"python -c a; b\";thread (0x7): MainThread;<module> (x.py:1);f (x.py:3) 4\n"
      "process 1:\"python -c a; b\";process 2:\"child\";<module> (x.py:1) 5\n");
  EXPECT_EQ(values_of(profile, "samples"),
            (Values{{"1/MainThread: <module>@1;f@3", 4}, {"2/main: <module>@1", 5}}));
  EXPECT_TRUE(profile.is_sampled);
  EXPECT_EQ(profile.processes[1].parent_pid, 1U);
  EXPECT_EQ(profile.functions.size(), 2U);
  EXPECT_EQ(profile.functions[1].kind, FunctionKind::kPython);
  EXPECT_EQ(profile.text(profile.functions[1].file), "x.py");
}

TEST(LoadCollapsed, AustinCountsMicroseconds) {
  const Profile profile = stacks(
      "# austin: 3.7.0\n# mode: wall\nP5;T0:5;/w/x.py:f:3 100\nP5;T0:5;/w/x.py:f:3 50\n"
      "P5;T0:6;/w/x.py:f;L4 7\nP5;T0:6 9\n");
  EXPECT_EQ(values_of(profile, "wall"), (Values{{"5/thread 5: f@3", 150'000},
                                                {"5/thread 6: f@4", 7'000},
                                                {"5/thread 6: [no frames]@0", 9'000}}));
  EXPECT_EQ(values_of(profile, "samples").at("5/thread 5: f@3"), 2);
  EXPECT_EQ(profile.threads[0].thread_class, ThreadClass::kMain);
  EXPECT_EQ(profile.processes[0].duration, 150'000);
}

TEST(LoadCollapsed, AustinsModes) {
  const Profile cpu = stacks("# austin: 3\n# mode: cpu\nP5;T0:5;x.py:f:3 100\n");
  EXPECT_EQ(values_of(cpu, "cpu"), (Values{{"5/thread 5: f@3", 100'000}}));
  EXPECT_FALSE(cpu.find_metric("wall"));
  const Profile memory =
      stacks("# austin: 3\n# mode: memory\nP5;T0:5;x.py:f:3 100\nP5;T0:5;x.py:f:3 -30\n");
  EXPECT_EQ(values_of(memory, "allocated"), (Values{{"5/thread 5: f@3", 100}}));
  EXPECT_EQ(values_of(memory, "freed"), (Values{{"5/thread 5: f@3", 30}}));
  EXPECT_FALSE(memory.find_metric("samples"));
  const Profile full = stacks("P5;T0:5;x.py:f:3 100,1,5\nP5;T0:5;x.py:f:3 10,0,-6\n");
  EXPECT_EQ(values_of(full, "wall"), (Values{{"5/thread 5: f@3", 110'000}}));
  EXPECT_EQ(values_of(full, "cpu"), (Values{{"5/thread 5: f@3", 10'000}}));
  EXPECT_EQ(values_of(full, "allocated"), (Values{{"5/thread 5: f@3", 5}}));
  EXPECT_EQ(values_of(full, "freed"), (Values{{"5/thread 5: f@3", 6}}));
}

TEST(LoadCollapsed, PerfPythonAndPlainOnes) {
  EXPECT_EQ(values_of(stacks("tid:3;a.py:f:1;~ 2\nmain;read_[k] 3\n"), "samples"),
            (Values{{"0/thread 3: f@1;~@0", 2}, {"0/main: main@0;read@0", 3}}));
  EXPECT_EQ(values_of(stacks("py-7/8;thread (5);g 1\n"), "samples"),
            (Values{{"7/thread 5: g@0", 1}}));
  EXPECT_EQ(values_of(stacks("thread (5) 1\nthread (5): x;g 2\n 3\n"), "samples"),
            (Values{{"0/x: [no frames]@0", 1}, {"0/x: g@0", 2}, {"0/main: [no frames]@0", 3}}));
  // A thread in the middle of a stack is a frame.
  EXPECT_EQ(values_of(stacks("g;thread (5) 1\n"), "samples"),
            (Values{{"0/main: g@0;thread (5)@0", 1}}));
}

TEST(LoadCollapsed, SaysWhatWasLeftOut) {
  const Profile profile = stacks("main 1\nwhat\n");
  ASSERT_EQ(profile.notes.size(), 1U);
  EXPECT_EQ(profile.notes[0], "left out: 1 lines that are no stacks, first line 2");
}

TEST(LoadCollapsed, ThreadsWithoutEndAreRefused) {
  std::string text;
  for (int i = 0; i < 9000; ++i) text += fmt::format("tid:{};f 1\n", i);
  const auto refused = load_collapsed_bytes(text);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kTooLarge);
}

TEST(LoadPprof, TypesLabelsInlinedCallsAndLibraries) {
  PprofBytes out;
  out.type("samples", "count").type("wall", "microseconds").type("space", "bytes");
  out.type("space", "count");
  out.message(3, {{1, 1}, {5, out.text("/lib/libx.so")}});
  out.function(1, "main", "a.py").function(2, "inner", "b.go");
  out.location(1, 0, {{1, 10}}).location(2, 1, {{2, 21}, {1, 11}}).location(3, 1, {});
  out.sample({3, 2, 1}, {1, 5, 64, 2}, {{"thread", "worker"}, {"rank", "3"}, {"pid", ""}});
  out.sample({1}, {2, 7, 0, 0}).sample({}, {1, 0, 0, 0});
  const Profile profile = load_pprof_bytes(out.bytes()).value();
  EXPECT_EQ(values_of(profile, "wall"),
            (Values{{"7/worker: main@10;main@11;inner@21;libx.so@0", 5'000},
                    {"0/main: main@10", 7'000}}));
  EXPECT_EQ(values_of(profile, "samples").at("0/main: [no frames]@0"), 1);
  EXPECT_EQ(profile.metrics[2].unit, Unit::kBytes);
  EXPECT_EQ(profile.metrics[3].name, "space (count)");
  EXPECT_EQ(profile.processes[0].rank, 3);
  EXPECT_TRUE(profile.is_sampled);
}

TEST(LoadPprof, ManyLinesManyTimesAreRefused) {
  PprofBytes out;
  out.type("samples", "count").function(1, "f", "");
  out.location(1, 0, std::vector<std::pair<std::uint64_t, std::uint64_t>>(30'000, {1, 1}));
  out.sample(std::vector<std::uint64_t>(30'000, 1), {1});
  const auto refused = load_pprof_bytes(out.bytes());
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kTooLarge);
}

TEST(LoadCallgrind, FlatValuesLinesAndEstimatedPaths) {
  const Profile profile =
      load_callgrind_bytes(
          "creator: yappi\nevents: Ticks\nfl=a.py\nfn=main\n1 10\ncfn=f\ncalls=2 5\n2 30\n"
          "fn=f\n5 20\ncfn=f\ncalls=3 5\n6 10\ncfn=g\ncalls=1 9\n7 10\nfn=g\n9 10\n")
          .value();
  EXPECT_TRUE(profile.paths_are_estimated);
  const MetricId wall = profile.find_metric("wall").value();
  EXPECT_EQ(grand_total(profile, wall), 40'000);
  EXPECT_EQ(profile.processes[0].duration, 40'000);
  std::map<std::string, std::pair<std::int64_t, std::int64_t>> flat;
  for (const FlatValue& value : profile.flat_values) {
    const auto name = [&](FunctionId id) { return profile.text(profile.functions[id.row()].name); };
    const std::string edge = value.caller.is_none() ? "" : std::string(name(value.caller)) + ">";
    flat[fmt::format("{} {}{}", profile.metrics[value.metric.row()].name, edge,
                     name(value.callee))] = {value.self, value.total};
  }
  using Pair = std::pair<std::int64_t, std::int64_t>;
  EXPECT_EQ(flat.at("wall main"), Pair(10'000, 40'000));
  EXPECT_EQ(flat.at("wall f"), Pair(20'000, 30'000));
  EXPECT_EQ(flat.at("wall main>f").second, 30'000);
  EXPECT_EQ(flat.at("calls f").first, 5);
  EXPECT_EQ(flat.at("primitive-calls f").first, 2);
  EXPECT_EQ(values_of(profile, "wall"), (Values{{"0/main: main@0", 10'000},
                                                {"0/main: main@0;f@0", 20'000},
                                                {"0/main: main@0;f@0;g@0", 10'000}}));
  ASSERT_EQ(profile.line_values.size(), 3U);
  EXPECT_EQ(profile.line_values[1].line, 5U);
}

TEST(LoadCallgrind, EveryEventIsAMetric) {
  const Profile profile = load_callgrind_bytes("events: Ir cpu_ns\nfn=f\n1 10 7\n1 1 1\n").value();
  EXPECT_EQ(grand_total(profile, profile.find_metric("Ir").value()), 11);
  EXPECT_EQ(grand_total(profile, profile.find_metric("cpu").value()), 8);
}

TEST(LoadStacks, ByContentAndErrorsNameTheFile) {
  const testing::TemporaryFolder folder;
  ASSERT_TRUE(write_file(folder / "a", "main;solve 12\n"));
  EXPECT_EQ(load_file(folder / "a", Detail::kSummary)->processes[0].source, "a");
  ASSERT_TRUE(write_file(folder / "b", "# callgrind format\nevents: Ir\nfn=(3)\n"));
  ASSERT_TRUE(write_file(folder / "c", "MOJ\x03"));
  ASSERT_TRUE(write_file(folder / "d", "\x1f\x8b\x08 cut"));
  const std::pair<const char*, const char*> cases[] = {
      {"b", "line 3: the name (3)"}, {"c", "mojo2austin"}, {"d", "gzip"}};
  for (const auto& [name, words] : cases) {
    const auto failed = load_file(folder / name, Detail::kSummary);
    ASSERT_FALSE(failed) << name;
    EXPECT_NE(failed.error().message.find(words), std::string::npos) << failed.error().message;
    EXPECT_NE(failed.error().message.find((folder / name).string()), std::string::npos);
  }
}

}  // namespace
}  // namespace pyrometer

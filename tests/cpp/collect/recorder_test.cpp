#include "collect/recorder.h"

#include <gtest/gtest.h>

#include <map>

#include "load/recording.h"
#include "profile/totals.h"

namespace pyrometer {
namespace {

Profile load(const std::string& bytes) {
  auto reader = RecordingReader::from_bytes(bytes).value();
  return load_recording(reader, Detail::kValues, {}, bytes.size());
}

TimeValues cpu_time(std::int64_t time) {
  TimeValues values;
  values[TimeKind::kWall] = values[TimeKind::kCpu] = values[TimeKind::kPython] = time;
  return values;
}

CodeCopy code(std::uint32_t number, const std::string& name) {
  CodeCopy copy{.number = number};
  copy.name = copy.qualified_name = name;
  copy.file = "wave.py";
  copy.first_line = 10;
  copy.line_table = "\x81\x45\xd8\x04\x09";  // two instructions on line 10, one on 11
  return copy;
}

std::int64_t total(const Profile& profile, std::string_view metric) {
  const auto found = profile.find_metric(metric);
  return found ? grand_total(profile, *found) : 0;
}

TEST(Recorder, LosesNothingToRounding) {
  Recorder recorder(RecordingHeader{});
  recorder.define_code(code(2, "solve"));
  const std::uint32_t thread = recorder.add_thread({.tid = 1, .name = "main"});
  const std::uint32_t node = recorder.python_node(Recorder::kNoNode, 2, 4);
  std::string bytes;
  for (int i = 0; i < 1000; ++i) {
    recorder.sample(thread, i * 5'000'000, node, cpu_time(5'033'333));
    if (i % 100 == 0) bytes += recorder.take_pending();
  }
  bytes += recorder.take_pending();
  const Profile profile = load(bytes);
  EXPECT_NEAR(static_cast<double>(total(profile, "cpu")), 5'033'333e3, 100'000);
  EXPECT_EQ(total(profile, "samples"), 1000);
  ASSERT_EQ(profile.nodes.size(), 1);
  EXPECT_EQ(profile.nodes[0].line, 11);
}

TEST(Recorder, TellsWhichCodeBeganARegion) {
  Recorder recorder(RecordingHeader{});
  recorder.hide_file("hidden.py");
  CodeCopy hidden = code(3, "start");
  hidden.file = "hidden.py";
  for (const CodeCopy& each : {code(2, "first"), hidden, code(4, "solve")}) {
    recorder.define_code(each);
  }
  const std::uint32_t thread = recorder.add_thread({.tid = 1, .name = "main"});
  recorder.regions(thread, {{.name = "known", .start = 100, .duration = 100, .opener = 4},
                            {.name = "hidden", .start = 200, .duration = 100, .opener = 3},
                            {.name = "never seen", .start = 300, .duration = 100, .opener = 9},
                            {.name = "no frames", .start = 400, .duration = 100}});
  recorder.open_regions(thread, {{.name = "open", .start = 500, .duration = 700, .opener = 2}});
  const Profile profile = load(recorder.take_pending());
  std::map<std::string_view, std::string_view> openers;
  for (const Region& region : profile.regions) {
    const bool is_known = !region.opener.is_none();
    openers[profile.text(region.name)] =
        is_known ? profile.text(profile.functions[region.opener.row()].name) : "";
  }
  EXPECT_EQ(openers, (decltype(openers){{"known", "solve"},
                                        {"hidden", ""},
                                        {"never seen", ""},
                                        {"no frames", ""},
                                        {"open", "first"}}));
}

TEST(Recorder, DefinesEqualCodeOnce) {
  Recorder recorder(RecordingHeader{});
  recorder.define_code(code(2, "solve"));
  recorder.define_code(code(3, "solve"));
  recorder.define_code(code(4, "other"));
  EXPECT_EQ(recorder.python_node(Recorder::kNoNode, 2, 0),
            recorder.python_node(Recorder::kNoNode, 3, 0));
  EXPECT_NE(recorder.python_node(Recorder::kNoNode, 2, 0),
            recorder.python_node(Recorder::kNoNode, 4, 0));
  EXPECT_EQ(recorder.python_node(Recorder::kNoNode, 99, 0), Recorder::kNoNode);
  EXPECT_EQ(load(recorder.take_pending()).functions.size(), 2);
}

TEST(Recorder, CellsOfANotebookBeginAtTheRoot) {
  Recorder recorder(RecordingHeader{});
  CodeCopy runner = code(3, "Statement.run");
  runner.file = "/opt/lib/python3.13/site-packages/pyrometer/_notebook_statement.py";
  recorder.define_code(code(2, "run_cell"));
  recorder.define_code(runner);
  recorder.define_code(code(4, "<module>"));
  const std::uint32_t kernel = recorder.python_node(Recorder::kNoNode, 2, 0);
  const std::uint32_t below = recorder.python_node(kernel, 3, 0);
  EXPECT_EQ(recorder.python_node(below, 4, 0), recorder.python_node(Recorder::kNoNode, 4, 0));
}

TEST(Recorder, KeepsSourcesOfCodeThatWasSeen) {
  Recorder recorder(RecordingHeader{});
  recorder.define_code(code(2, "solve"));
  recorder.source("wave.py", "solve()\n");
  recorder.source("never.py", "other()\n");
  const Profile profile = load(recorder.take_pending());
  ASSERT_EQ(profile.sources.size(), 1U);
  const auto& [file, source] = *profile.sources.begin();
  EXPECT_EQ(profile.text(file), "wave.py");
  EXPECT_EQ(source.content, "solve()\n");
}

TEST(Recorder, NativeCodeIsShownAsItsLibrary) {
  Recorder recorder(RecordingHeader{});
  recorder.define_code(code(2, "solve"));
  const std::uint32_t python = recorder.python_node(Recorder::kNoNode, 2, 0);
  const LoadedModule library{.path = "/usr/lib/libm.so.6", .build_id = {}, .load_base = 0x1000};
  const std::uint32_t first = recorder.native_node(python, library, 0x1100);
  const std::uint32_t second = recorder.native_node(python, library, 0x1200);
  EXPECT_NE(first, second);  // the recording keeps both addresses
  const std::uint32_t thread = recorder.add_thread({.tid = 1, .name = "main"});
  recorder.sample(thread, 1, first, cpu_time(1'000'000));
  recorder.sample(thread, 2, second, cpu_time(1'000'000));
  const Profile profile = load(recorder.take_pending());
  ASSERT_EQ(profile.functions.size(), 2);
  EXPECT_EQ(profile.text(profile.functions[1].name), "libm.so.6");
  EXPECT_EQ(profile.nodes.size(), 2);
}

TEST(Recorder, SpreadsWaitingForACoreOverWhatRan) {
  Recorder recorder(RecordingHeader{});
  recorder.define_code(code(2, "solve"));
  recorder.define_code(code(3, "other"));
  const std::uint32_t thread = recorder.add_thread({.tid = 1, .name = "main"});
  EXPECT_FALSE(recorder.spread_runnable(thread, 1'000'000));
  recorder.sample(thread, 1, recorder.python_node(Recorder::kNoNode, 2, 0), cpu_time(3'000'000));
  recorder.sample(thread, 2, recorder.python_node(Recorder::kNoNode, 3, 0), cpu_time(1'000'000));
  EXPECT_TRUE(recorder.spread_runnable(thread, 8'000'000));
  const Profile profile = load(recorder.take_pending());
  EXPECT_EQ(total(profile, "runnable"), 8'000'000);
  EXPECT_EQ(total(profile, "wall"), 12'000'000);
  const auto runnable = profile.find_metric("runnable").value();
  EXPECT_EQ(profile.node_totals[runnable.row()][0], 6'000'000);
}

TEST(Recorder, WhoWaitsForACoreInsideMpiWaitsInMpi) {
  Recorder recorder({});
  const std::uint32_t thread = recorder.add_thread({.name = "a"});
  recorder.define_code(code(2, "step"));
  const std::uint32_t caller = recorder.python_node(Recorder::kNoNode, 2, 0);
  TimeValues in_mpi;
  in_mpi[TimeKind::kWall] = in_mpi[TimeKind::kMpi] = 3'000'000;
  recorder.sample(thread, 1, recorder.mpi_node(caller, "MPI_Barrier"), in_mpi, 3'000'000);
  recorder.sample(thread, 2, caller, cpu_time(1'000'000));
  EXPECT_TRUE(recorder.spread_runnable(thread, 8'000'000));
  const Profile profile = load(recorder.take_pending());
  EXPECT_EQ(total(profile, "mpi"), 9'000'000);
  EXPECT_EQ(total(profile, "runnable"), 2'000'000);
  EXPECT_EQ(total(profile, "cpu"), 1'000'000);
  EXPECT_EQ(total(profile, "wall"), 12'000'000);
}

TEST(Recorder, MpiCallsAreTotalsSoFar) {
  Recorder recorder({});
  const std::uint32_t thread = recorder.add_thread({.name = "a"});
  recorder.define_code(code(2, "step"));
  const std::uint32_t barrier =
      recorder.mpi_node(recorder.python_node(Recorder::kNoNode, 2, 0), "MPI_Barrier");
  for (const std::int64_t calls : {1, 3}) {
    recorder.mpi_calls(thread, {{.node = barrier,
                                 .communicator = 4,
                                 .size_class = 0,
                                 .calls = calls,
                                 .time = calls * 100,
                                 .quickest = 50,
                                 .slowest = 150}});
  }
  const Profile profile = load(recorder.take_pending());
  ASSERT_EQ(profile.mpi_calls.size(), 1U);
  EXPECT_EQ(profile.mpi_calls[0].calls, 3);
  EXPECT_EQ(total(profile, "mpi-time"), 300);
  EXPECT_EQ(total(profile, "mpi-wait"), 150);
  const Function& function = profile.function_of(profile.mpi_calls[0].node);
  EXPECT_EQ(profile.text(function.file), "MPI");
  EXPECT_EQ(function.kind, FunctionKind::kNative);
}

}  // namespace
}  // namespace pyrometer

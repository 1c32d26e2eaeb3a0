#include "collect/recorder.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace pyrometer

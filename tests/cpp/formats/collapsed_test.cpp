#include <gtest/gtest.h>

#include <limits>
#include <map>

#include "formats/collapsed_file.h"
#include "formats/collapsed_frame.h"

namespace pyrometer {
namespace {

using Role = CollapsedFrame::Role;

Result<CollapsedFile> read(std::string_view text, std::size_t piece = 1U << 20) {
  CollapsedReader reader;
  for (; !text.empty(); text.remove_prefix(std::min(piece, text.size()))) {
    if (auto added = reader.add(text.substr(0, piece)); !added) {
      return tl::unexpected(added.error());
    }
  }
  return reader.finish();
}

// "a;b" -> value, of every path that a line ends at.
std::map<std::string, std::int64_t> paths(const CollapsedFile& file) {
  std::map<std::string, std::int64_t> result;
  std::vector<std::string> names;
  for (const auto& node : file.nodes) {
    const std::string above = node.parent == CollapsedFile::kNone ? "" : names[node.parent] + ";";
    names.push_back(above + file.frames[node.frame]);
    if (node.values != CollapsedFile::kNone) {
      result[names.back()] += file.values[node.values].value;
    }
  }
  return result;
}

const std::map<std::string, std::int64_t> kPaths = {
    {"main", 1}, {"main;solve", 5}, {"main;solve;dot", 7}, {"main;solver", 2}, {"other;solve", 4}};
constexpr std::string_view kText =
    "main 1\nmain;solve;dot 3\nmain;solve 5\r\n\nmain;solver 2\nother;solve 4\nmain;solve;dot 4";

TEST(Collapsed, AddsUpPaths) {
  const CollapsedFile file = read(kText).value();
  EXPECT_EQ(paths(file), kPaths);
  EXPECT_EQ(file.frames.size(), 5U);
  EXPECT_EQ(file.nodes.size(), 6U);
  EXPECT_EQ(file.skipped_lines, 0U);
}

TEST(Collapsed, PiecesMakeNoDifference) {
  for (std::size_t piece = 1; piece < kText.size(); ++piece) {
    EXPECT_EQ(paths(read(kText, piece).value()), kPaths) << piece;
  }
}

TEST(Collapsed, FramesMayHoldSpacesAndBeEmpty) {
  const CollapsedFile file = read("f (a b.py:3);;g h  12\n").value();
  EXPECT_EQ(paths(file), (std::map<std::string, std::int64_t>{{"f (a b.py:3);;g h", 12}}));
}

TEST(Collapsed, NumbersBeyondAnyProgramAreCutOff) {
  const std::string largest = std::to_string(std::numeric_limits<std::int64_t>::max());
  const CollapsedFile file = read("a " + largest + "\na " + largest + "\nb -" + largest).value();
  constexpr std::int64_t kMost = 100'000'000'000'000'000;
  EXPECT_EQ(paths(file), (std::map<std::string, std::int64_t>{{"a", 2 * kMost}, {"b", -kMost}}));
}

TEST(Collapsed, FullMetricsAndMetadataOfAustin) {
  const CollapsedFile file = read(
                                 "# austin: 3.7.0\n# mode: full\nP1;T0:1;a.py:f:3 "
                                 "100,0,2048\nP1;T0:1;a.py:f:3 50,1,-1024\n")
                                 .value();
  EXPECT_EQ(file.metadata_of("mode"), "full");
  EXPECT_EQ(file.metadata_of("nothing"), "");
  ASSERT_EQ(file.values.size(), 1U);
  const CollapsedFile::Values& values = file.values[0];
  EXPECT_EQ(values.lines, 2);
  EXPECT_EQ(values.value, 150);
  EXPECT_EQ(values.busy, 100);
  EXPECT_EQ(values.allocated, 2048);
  EXPECT_EQ(values.freed, 1024);
}

TEST(Collapsed, LinesThatAreNoStacksAreCounted) {
  const CollapsedFile file = read("main 1\nwhat is this\nmain 12.5\nmain 1,2\nmain 2\n").value();
  EXPECT_EQ(paths(file).at("main"), 3);
  EXPECT_EQ(file.skipped_lines, 3U);
  EXPECT_EQ(file.first_skipped_line, 2U);
  EXPECT_EQ(read("no stack\n").error().code, ErrorCode::kCorrupt);
  EXPECT_EQ(read("").error().code, ErrorCode::kCorrupt);
}

TEST(Collapsed, ALineWithoutEndIsRefused) {
  CollapsedReader reader;
  const std::string piece(std::size_t{1} << 20, ';');
  Result<void> added;
  for (int i = 0; added && i < 20; ++i) added = reader.add(piece);
  ASSERT_FALSE(added);
  EXPECT_EQ(added.error().code, ErrorCode::kTooLarge);
}

TEST(Collapsed, DeepStacksAreRead) {
  std::string line = "f";
  for (int i = 0; i < 60'000; ++i) line += ";f";
  const CollapsedFile file = read(line + " 1\n" + line + ";g 2\n").value();
  EXPECT_EQ(file.nodes.size(), 60'002U);
  EXPECT_EQ(file.frames.size(), 2U);
}

TEST(Collapsed, IsRecognised) {
  const std::string_view stacks[] = {
      "main;solve 12\n",           "main 1", "# austin: 3.7.0\n# mode: wall\n", "a b;c_[k] 3\nd",
      "P1;T0:1;a.py:f:3 1,0,-5\n", " 3\n"};
  for (const std::string_view text : stacks) EXPECT_TRUE(looks_like_collapsed(text)) << text;
  EXPECT_TRUE(looks_like_collapsed("f;" + std::string(5000, 'x')));
  const std::string_view others[] = {"",
                                     "hello\n",
                                     "hello 12\nworld\n",
                                     "# a comment\n",
                                     std::string_view("a\0b 12\n", 7),
                                     "MEM 1.500000 1234.5\n",
                                     "import os\n"};
  for (const std::string_view text : others) EXPECT_FALSE(looks_like_collapsed(text)) << text;
}

struct FrameCase {
  std::string_view text;
  CollapsedFrame frame;
  bool is_austin = false;
};

TEST(CollapsedFrame, EveryToolHasItsShape) {
  constexpr auto kPython = FunctionKind::kPython;
  constexpr auto kNative = FunctionKind::kNative;
  const FrameCase cases[] = {
      // py-spy, and our own export
      {"solve (a/wave.py:12)", {.kind = kPython, .name = "solve", .file = "a/wave.py", .line = 12}},
      {"<module> (<string>:1)",
       {.kind = kPython, .name = "<module>", .file = "<string>", .line = 1}},
      {"solve (wave.py)", {.kind = kPython, .name = "solve", .file = "wave.py"}},
      {"operator() (libx.so.1)", {.kind = kNative, .name = "operator()", .file = "libx.so.1"}},
      {"dot (dot.c:7)", {.kind = kNative, .name = "dot", .file = "dot.c", .line = 7}},
      {"push_back (inlined)", {.kind = kNative, .name = "push_back (inlined)"}},
      {"thread (0x7F)", {.role = Role::kThread, .tid = 0x7f}},
      {"thread (12): Main (x)", {.role = Role::kThread, .name = "Main (x)", .tid = 12}},
      {"process 7:\"python a.py\"", {.role = Role::kProcess, .name = "python a.py", .pid = 7}},
      {"process 7:\"python -c a",
       {.role = Role::kProcess, .name = "python -c a", .pid = 7, .is_open = true}},
      // Python 3.15
      {"tid:99", {.role = Role::kThread, .tid = 99}},
      {"wave.py:solve:12", {.kind = kPython, .name = "solve", .file = "wave.py", .line = 12}},
      // austin
      {"P12", {.role = Role::kProcess, .pid = 12}, true},
      {"T0:13", {.role = Role::kThread, .tid = 13}, true},
      {"T0x7f", {.role = Role::kThread, .tid = 0x7f}, true},
      {"L7", {.role = Role::kLine, .line = 7}, true},
      {":GC:", {.kind = FunctionKind::kLabel, .name = "garbage collection"}, true},
      {"/a/x:f:3", {.kind = kPython, .name = "f", .file = "/a/x", .line = 3}, true},
      {"/a/x.py:f", {.kind = kPython, .name = "f", .file = "/a/x.py"}, true},
      {"C:\\a.py:f:3", {.kind = kPython, .name = "f", .file = "C:\\a.py", .line = 3}, true},
      {"P12", {.kind = kNative, .name = "P12"}},
      // perf and async-profiler
      {"do_syscall_64_[k]", {.kind = kNative, .name = "do_syscall_64"}},
      {"[libc.so.6]", {.kind = kNative, .name = "[libc.so.6]"}},
      {"py::f:/a/x.py", {.kind = kPython, .name = "f", .file = "/a/x.py"}},
      {"python3-12/13", {.role = Role::kThread, .name = "python3", .pid = 12, .tid = 13}},
      {"[pool 1 tid=4]", {.role = Role::kThread, .name = "pool 1", .tid = 4}},
      {"a::b:3", {.kind = kNative, .name = "a::b:3"}},
      {"", {.kind = kNative, .name = ""}},
  };
  for (const auto& [text, expected, is_austin] : cases) {
    const CollapsedFrame frame = parse_collapsed_frame(text, is_austin);
    EXPECT_EQ(frame.role, expected.role) << text;
    EXPECT_EQ(frame.kind, expected.kind) << text;
    EXPECT_EQ(frame.name, expected.name) << text;
    EXPECT_EQ(frame.file, expected.file) << text;
    EXPECT_EQ(frame.line, expected.line) << text;
    EXPECT_EQ(frame.pid, expected.pid) << text;
    EXPECT_EQ(frame.tid, expected.tid) << text;
    EXPECT_EQ(frame.is_open, expected.is_open) << text;
  }
}

}  // namespace
}  // namespace pyrometer

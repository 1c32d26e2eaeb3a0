#include <gtest/gtest.h>

#include <map>

#include "formats/callgrind_file.h"

namespace pyrometer {
namespace {

CallgrindFile read(std::string_view text) {
  auto file = read_callgrind(text);
  EXPECT_TRUE(file) << (file ? "" : file.error().message);
  return file.value_or(CallgrindFile{});
}

std::string name_of(const CallgrindFile& file, std::uint32_t function) {
  return file.texts[file.functions[function].name];
}

// "f:3" -> the first event of that line.
std::map<std::string, std::int64_t> line_costs(const CallgrindFile& file, std::size_t event = 0) {
  std::map<std::string, std::int64_t> costs;
  for (std::size_t i = 0; i < file.lines.size(); ++i) {
    const auto [function, line] = file.lines[i];
    costs[fmt::format("{}:{}", name_of(file, function), line)] += file.costs_of_line(i)[event];
  }
  return costs;
}

// "f>g" -> number of calls and inclusive cost.
std::map<std::string, std::pair<std::int64_t, std::int64_t>> calls(const CallgrindFile& file) {
  std::map<std::string, std::pair<std::int64_t, std::int64_t>> result;
  for (std::size_t i = 0; i < file.calls.size(); ++i) {
    const auto [caller, callee, count] = file.calls[i];
    result[name_of(file, caller) + ">" + name_of(file, callee)] = {count, file.costs_of_call(i)[0]};
  }
  return result;
}

using Lines = std::map<std::string, std::int64_t>;
using Calls = std::map<std::string, std::pair<std::int64_t, std::int64_t>>;

// After the format's manual.
constexpr std::string_view kManual = R"(# callgrind format
version: 1
creator: test
pid: 42
cmd: ./a.out
positions: line
events: Ir Dr
summary: 90 7

ob=(1) a.out
fl=(1) file1.c
fn=(1) main
16 20 7
cfn=(2) func1
calls=1 50
16 40
cfi=(2) file2.c
cfn=(3) func2
calls=3 20
* 30

fn=(2)
+35 10
-1 30
fl=(2)
fn=(3)
20 0
jump=2 +3
20
totals: 90 7
)";

TEST(Callgrind, TheManualsExample) {
  const CallgrindFile file = read(kManual);
  EXPECT_EQ(file.creator, "test");
  EXPECT_EQ(file.command, "./a.out");
  EXPECT_EQ(file.pid, 42U);
  EXPECT_EQ(file.summary, (std::vector<std::int64_t>{90, 7}));
  EXPECT_EQ(line_costs(file),
            (Lines{{"main:16", 20}, {"func1:51", 10}, {"func1:50", 30}, {"func2:20", 0}}));
  EXPECT_EQ(line_costs(file, 1).at("main:16"), 7);
  EXPECT_EQ(calls(file), (Calls{{"main>func1", {1, 40}}, {"main>func2", {3, 30}}}));
  ASSERT_EQ(file.functions.size(), 3U);
  EXPECT_EQ(file.texts[file.functions[2].file], "file2.c");
  EXPECT_EQ(file.texts[file.functions[1].object], "a.out");
}

TEST(Callgrind, InstructionsBesideLines) {
  const CallgrindFile file = read(
      "positions: instr line\nevents: Ir\nfl=a.c\nfn=f\n0x10 5 3\n+4 +1 2\n* -1 1\n"
      "cfn=g\ncalls=2 0x40 9\n+2 * 8\n");
  EXPECT_EQ(line_costs(file), (Lines{{"f:5", 4}, {"f:6", 2}}));
  EXPECT_EQ(calls(file), (Calls{{"f>g", {2, 8}}}));
}

TEST(Callgrind, InlinedCodeBelongsToTheFunctionButToNoLineOfIt) {
  const CallgrindFile file =
      read("events: Ir\nfl=(1) a.c\nfn=(1) f\n5 1\nfi=(2) b.h\n90 7\nfe=(1)\n6 2\n");
  EXPECT_EQ(line_costs(file), (Lines{{"f:0", 7}, {"f:5", 1}, {"f:6", 2}}));
}

TEST(Callgrind, PartsAreAddedUpInTheirOwnOrderOfEvents) {
  const CallgrindFile file = read(
      "events: Ir Dr\nfn=(1) f\n1 10 1\nsummary: 10 1\n\npart: 2\nevents: Dr Ir\nfn=(1)\n1 2 20\n"
      "summary: 2 20\n");
  EXPECT_EQ(line_costs(file), (Lines{{"f:1", 30}}));
  EXPECT_EQ(line_costs(file, 1), (Lines{{"f:1", 3}}));
  EXPECT_EQ(file.summary, (std::vector<std::int64_t>{30, 3}));
}

TEST(Callgrind, CalleesWithoutAFileAreTheFunctionOfThatName) {
  const CallgrindFile file = read(
      "events: Ticks\nfl=(1) a.py\nfn=(1) f\n1 5\ncfn=(2) g\ncalls=1 3\n1 4\nfl=(2) "
      "b.py\nfn=(2)\n3 4\n"
      "cfn=nowhere\ncalls=1 1\n3 0\n");
  EXPECT_EQ(file.functions.size(), 3U);
  EXPECT_EQ(file.texts[file.functions[file.calls[0].callee].file], "b.py");
  EXPECT_EQ(calls(file), (Calls{{"f>g", {1, 4}}, {"g>nowhere", {1, 0}}}));
}

TEST(Callgrind, JumpsMayIntroduceNames) {
  const CallgrindFile file =
      read("events: Ir\nfl=(1) a.c\nfn=(1) f\n1 5\njfi=(2) b.h\njump=1 7\n1\nfi=(2)\n9 1\n");
  EXPECT_EQ(line_costs(file), (Lines{{"f:0", 1}, {"f:1", 5}}));
}

TEST(Callgrind, NamesOfEvents) {
  const CallgrindFile file = read("event: ns : Nanoseconds\nevents: ns\nfn=f\n1 5\n");
  ASSERT_EQ(file.events.size(), 1U);
  EXPECT_EQ(file.events[0].long_name, "Nanoseconds");
}

TEST(Callgrind, WhatIsWrongIsSaidWithItsLine) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"events: Ir\nfn=(3)\n", "line 2: the name (3) was not said before"},
      {"events: Ir\n1 5\n", "line 2: it has costs before any function"},
      {"events: Ir\nfn=f\n1 5 6\n", "line 3: it has more costs than there are events"},
      {"events: Ir\nfn=f\n1 x\n", "line 3: the cost 'x' is no number"},
      {"events: Ir\nfn=f\n+x 1\n", "line 3: the position '+x' is no number"},
      {"events: Ir\nfn=f\ncalls=x 1\n", "line 3: the number of calls is no number"},
      {"events: Ir\nwhat\n", "line 2: it is no line of a callgrind file"},
      {"events: Ir\nfn=f\n1 5\nevents: Dr\n", "line 4: the event Dr is not counted"},
      {"fn=f\n", "it does not say what it counts"},
      {"positions: instr line bb\n", "line 1: it has more than two positions"},
  };
  for (const auto& [text, message] : cases) {
    const auto file = read_callgrind(text);
    ASSERT_FALSE(file) << text;
    EXPECT_EQ(file.error().code, ErrorCode::kCorrupt);
    EXPECT_NE(file.error().message.find(message), std::string::npos) << file.error().message;
  }
}

TEST(Callgrind, IsRecognised) {
  EXPECT_TRUE(looks_like_callgrind(kManual));
  EXPECT_TRUE(looks_like_callgrind("event: ns : Nanoseconds\nevents: ns\nfl=x\n"));
  EXPECT_TRUE(looks_like_callgrind(
      "version: 1\ncreator: yappi\npid: 1\ncmd: x\npart: 1\n\nevents: Ticks\n"));
  EXPECT_FALSE(looks_like_callgrind("version: 1\n"));
  EXPECT_FALSE(looks_like_callgrind("fn=f\nevents: x\n"));
  EXPECT_FALSE(looks_like_callgrind("main;solve 12\n"));
}

}  // namespace
}  // namespace pyrometer

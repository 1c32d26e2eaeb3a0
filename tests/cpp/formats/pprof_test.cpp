#include <gtest/gtest.h>

#include "formats/pprof_file.h"
#include "support/pprof_bytes.h"

namespace pyrometer {
namespace {

using testing::PprofBytes;

PprofBytes small() {
  PprofBytes out;
  out.type("samples", "count").type("cpu", "nanoseconds");
  out.message(3, {{1, 9}, {5, out.text("/lib/x.so")}, {6, out.text("abc")}});
  out.function(1, "main", "main.go").function(2, "work", "work.go");
  out.location(5, 9, {{1, 10}}).location(6, 9, {{2, 21}, {1, 11}});
  out.sample({6, 5}, {3, -30});
  return out;
}

TEST(Pprof, IdsBecomeRows) {
  const std::string bytes = small().bytes();
  EXPECT_TRUE(looks_like_pprof(bytes));
  EXPECT_TRUE(looks_like_pprof(bytes.substr(0, 20)));
  EXPECT_TRUE(looks_like_pprof("\x48\x05" + bytes));  // Go begins with the time
  const PprofFile file = read_pprof(bytes).value();
  ASSERT_EQ(file.types.size(), 2U);
  EXPECT_EQ(file.types[1].type, "cpu");
  EXPECT_EQ(file.types[1].unit, "nanoseconds");
  ASSERT_EQ(file.samples.size(), 1U);
  const auto stack = file.stack_of(file.samples[0]);
  EXPECT_EQ(std::vector(stack.begin(), stack.end()), (std::vector<std::uint32_t>{1, 0}));
  const auto lines = file.lines_of(file.locations[1]);
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(file.functions[lines[0].function].name, "work");
  EXPECT_EQ(lines[0].line, 21);
  EXPECT_EQ(file.mappings[file.locations[1].mapping].build_id, "abc");
  EXPECT_EQ(file.values, (std::vector<std::int64_t>{3, -30}));
}

TEST(Pprof, NumbersMayComeOneByOne) {
  const std::string bytes = small().sample({5}, {1, 2}, {}, false).bytes();
  EXPECT_EQ(read_pprof(bytes)->values, (std::vector<std::int64_t>{3, -30, 1, 2}));
}

TEST(Pprof, CutAnywhereIsAnErrorOrWhatCameBefore) {
  const std::string whole = small().bytes();
  for (std::size_t cut = 0; cut < whole.size(); ++cut) {
    const auto file = read_pprof(std::string_view(whole).substr(0, cut));
    EXPECT_TRUE(file || file.error().code == ErrorCode::kCorrupt) << cut;
  }
}

TEST(Pprof, WhatItNamesMustBeThere) {
  const std::pair<std::string, std::string_view> cases[] = {
      {PprofBytes().bytes(), "does not say what its samples count"},
      {small().sample({77}, {1, 2}).bytes(), "names the location 77"},
      {small().sample({5}, {1}).bytes(), "sample 2 has 1 values where there are 2 types"},
      {small().location(8, 33, {}).bytes(), "names the mapping 33"},
      {small().location(8, 0, {{44, 1}}).bytes(), "names the function 44"},
      {small().message(5, {{1, 3}, {2, 999}}).bytes(), "names the text 999 of"},
      {small().message(5, {{1, 3}, {2, ~0ULL}}).bytes(), "names the text -1 of"},
      {small().bytes() + "\x12\x7f", "no whole pprof file"},
  };
  for (const auto& [bytes, message] : cases) {
    const auto file = read_pprof(bytes);
    ASSERT_FALSE(file) << message;
    EXPECT_EQ(file.error().code, ErrorCode::kCorrupt);
    EXPECT_NE(file.error().message.find(message), std::string::npos) << file.error().message;
  }
}

TEST(Pprof, FieldsOfAnotherKindAreSkipped) {
  // Samples as a number, a text as a fixed one.
  const std::string odd = std::string("\x10\x05") + "\x35" + "1234";
  EXPECT_EQ(read_pprof(small().bytes() + odd)->samples.size(), 1U);
}

TEST(Pprof, OtherFilesAreNotTakenForIt) {
  for (const std::string_view text : {"", "\n", "\nmain;solve 12\n", "main;solve 12\n",
                                      "{\"a\": 1}", "\n\x04\x08\x01\x1a\x01", "\n\x02\x10\x01"}) {
    EXPECT_FALSE(looks_like_pprof(text)) << text;
  }
}

}  // namespace
}  // namespace pyrometer

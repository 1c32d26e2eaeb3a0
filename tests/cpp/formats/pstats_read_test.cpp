#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "formats/marshal_bytes.h"
#include "formats/pstats_file.h"
#include "formats/real_files.h"

using namespace pyrometer;
using namespace pyrometer::marshal_bytes;

namespace {

Error error_of(const std::string& bytes) {
  const auto file = read_pstats(bytes);
  EXPECT_FALSE(file);
  return file ? Error{ErrorCode::kIo, ""} : file.error();
}

std::string file_of(const std::string& value) { return dict({label("a.py", 1, "f"), value}); }

}  // namespace

TEST(ReadPstats, WhatPython313Wrote) {
  const auto file = read_pstats(cprofile_file());
  ASSERT_TRUE(file) << file.error().message;
  EXPECT_FALSE(file->sampled);
  ASSERT_EQ(file->functions.size(), 6U);
  const PstatsFunction& fact = file->functions[2];
  EXPECT_EQ(fact.file, "tiny.py");
  EXPECT_EQ(fact.line, 1);
  EXPECT_EQ(fact.name, "fact");
  EXPECT_EQ(fact.cost, (PstatsCost{4, 1, 2.1740000000000003e-06, 2.1740000000000003e-06}));
  ASSERT_EQ(fact.callers.size(), 2U);
  // By itself three times, of which one is primitive: the counts are swapped in callers.
  EXPECT_EQ(fact.callers[0].function, 2U);
  EXPECT_EQ(fact.callers[0].cost.calls, 3);
  EXPECT_EQ(fact.callers[0].cost.primitive_calls, 1);
  EXPECT_EQ(fact.callers[1].function, 3U);
  EXPECT_EQ(file->functions[3].name, "main");
  EXPECT_EQ(file->functions[0].file, "~");
  EXPECT_EQ(file->functions[0].name, "<built-in method builtins.exec>");
}

TEST(ReadPstats, WhatPython315Sampled) {
  const auto file = read_pstats(sampled_file());
  ASSERT_TRUE(file) << file.error().message;
  EXPECT_TRUE(file->sampled);
  ASSERT_EQ(file->functions.size(), 4U);
  EXPECT_EQ(file->functions[0].name, "spin");
  EXPECT_EQ(file->functions[0].cost, (PstatsCost{1004, 1004, 1.004, 1.004}));
  EXPECT_EQ(file->functions[1].cost, (PstatsCost{1004, 0, 0, 1.004}));
  ASSERT_EQ(file->functions[0].callers.size(), 1U);
  EXPECT_EQ(file->functions[0].callers[0], (PstatsCaller{1, {1004, 1004, 0, 0}, false}));
}

TEST(ReadPstats, OldProfileModule) {
  // profile.run("f()", "x.prof"): callers are bare counts, and some times the integer 0.
  const std::string profiler = label("profile", 0, "profiler");
  const auto file = read_pstats(
      dict({profiler, tuple({integer(0), integer(0), integer(0), integer(0), "{0"}),
            label("a.py", 1, "f"), statistics(1, 4, 0.25, 0.5, dict({profiler, integer(4)}))}));
  ASSERT_TRUE(file) << file.error().message;
  EXPECT_EQ(file->functions[0].cost, PstatsCost{});
  EXPECT_EQ(file->functions[1].callers[0], (PstatsCaller{0, {4, 4, 0, 0}, false}));
}

TEST(ReadPstats, MarshalVersionsBeforeReferences) {
  const std::string number = std::string("f\x03") + "0.5";
  const auto file = read_pstats(file_of(tuple({integer(1), integer(2), number, number, "{0"})));
  ASSERT_TRUE(file) << file.error().message;
  EXPECT_EQ(file->functions[0].cost, (PstatsCost{2, 1, 0.5, 0.5}));
}

TEST(ReadPstats, CallerWithoutAnEntryIsAdded) {
  const std::string share = tuple({integer(2), integer(1), real(0.5), real(0.75)});
  const auto file = read_pstats(dict(
      {label("a.py", 1, "f"), statistics(1, 2, 0.5, 0.75, dict({label("b.py", 7, "g"), share})),
       label("c.py", 3, "h"), statistics(1, 1, 0, 0)}));
  ASSERT_TRUE(file) << file.error().message;
  ASSERT_EQ(file->functions.size(), 3U);
  EXPECT_EQ(file->functions[2],
            (PstatsFunction{.file = "b.py", .line = 7, .name = "g", .has_entry = false}));
  EXPECT_EQ(file->functions[0].callers[0], (PstatsCaller{2, {2, 1, 0.5, 0.75}, true}));
}

TEST(ReadPstats, DuplicatesAreSummed) {
  const std::string g = label("b.py", 7, "g");
  const std::string share = tuple({integer(2), integer(1), real(0.5), real(0.75)});
  const auto file = read_pstats(
      dict({label("a.py", 1, "f"), statistics(1, 2, 0.5, 0.75, dict({g, share, g, share})),
            label("a.py", 1, "f"), statistics(3, 4, 1, 2, dict({g, share}))}));
  ASSERT_TRUE(file) << file.error().message;
  ASSERT_EQ(file->functions.size(), 2U);
  EXPECT_EQ(file->functions[0].cost, (PstatsCost{6, 4, 1.5, 2.75}));
  ASSERT_EQ(file->functions[0].callers.size(), 1U);
  EXPECT_EQ(file->functions[0].callers[0], (PstatsCaller{1, {6, 3, 1.5, 2.25}, true}));
}

TEST(ReadPstats, SumsDoNotWrap) {
  const std::string most = from_hex("6c05000000ff7fff7fff7fff7f0700");
  const std::string value = tuple({most, most, real(1e308), real(-1e308), "{0"});
  const std::string f = label("a.py", 1, "f");
  const auto file = read_pstats(dict({f, value, f, value}));
  ASSERT_TRUE(file) << file.error().message;
  EXPECT_EQ(file->functions[0].cost.calls, std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(file->functions[0].cost.self_seconds, std::numeric_limits<double>::max());
  EXPECT_EQ(file->functions[0].cost.total_seconds, std::numeric_limits<double>::lowest());
}

TEST(ReadPstats, Times) {
  const auto negative = read_pstats(file_of(statistics(1, 1, -0.5, -1e-9)));
  ASSERT_TRUE(negative);
  EXPECT_EQ(negative->functions[0].cost.self_seconds, -0.5);
  const Error infinite = error_of(file_of(statistics(1, 1, 0, HUGE_VAL)));
  EXPECT_EQ(infinite.code, ErrorCode::kCorrupt);
  EXPECT_EQ(infinite.message, "the statistics at byte 26 have a time that is infinite");
  EXPECT_EQ(error_of(file_of(statistics(1, 1, std::nan(""), 0))).message,
            "the statistics at byte 26 have a time that is not a number");
}

TEST(ReadPstats, NamesKeepLoneSurrogates) {
  const auto file = read_pstats(dict({label("\xed\xb3\xbf.py", 1, "f"), statistics(1, 1, 0, 0)}));
  ASSERT_TRUE(file) << file.error().message;
  EXPECT_EQ(file->functions[0].file, "\xed\xb3\xbf.py");
}

TEST(ReadPstats, NoFunctions) {
  const auto file = read_pstats("{0");
  ASSERT_TRUE(file);
  EXPECT_TRUE(file->functions.empty());
}

TEST(ReadPstats, OtherDictsAreRefused) {
  const std::string value = statistics(1, 1, 0, 0);
  const std::string f = label("a.py", 1, "f");
  const std::string past_int32 = from_hex("6c03000000000000000200");
  for (const std::string& bytes : {
           std::string("N"),
           dict({text("key"), integer(1)}),
           dict({tuple({text("mark")}), "T"}),
           dict({tuple({text("a.py"), text("1"), text("f")}), value}),
           dict({tuple({text("a.py"), past_int32, text("f")}), value}),
           dict({tuple({text("a.py"), integer(1), integer(2)}), value}),
           dict({tuple({with_u32('s', 1, "a"), integer(1), text("f")}), value}),
           file_of("T"),
           file_of(tuple({integer(1), integer(1), real(0), real(0)})),
           file_of(tuple({integer(1), integer(1), real(0), real(0), "N"})),
           file_of(tuple({real(1), integer(1), real(0), real(0), "{0"})),
           file_of(tuple({integer(1), integer(1), "N", real(0), "{0"})),
           file_of(statistics(1, 1, 0, 0, dict({f, "N"}))),
           file_of(statistics(1, 1, 0, 0, dict({f, tuple({integer(1)})}))),
           file_of(statistics(1, 1, 0, 0, dict({tuple({text("__sampled__")}), integer(1)}))),
       }) {
    EXPECT_EQ(error_of(bytes).code, ErrorCode::kCorrupt);
  }
}

TEST(LooksLikePstats, ByContent) {
  for (const std::string& whole : {cprofile_file(), sampled_file(), std::string("{0"),
                                   dict({label("a.py", 1, "f"), statistics(1, 1, 0, 0)}),
                                   dict({tuple({text("__sampled__")}), "T"})}) {
    EXPECT_TRUE(looks_like_pstats(whole));
    EXPECT_TRUE(looks_like_pstats(whole.substr(0, 24)));
  }
  const std::string long_path = label("/" + std::string(5000, 'x'), 1, "f");
  EXPECT_TRUE(looks_like_pstats(dict({long_path}).substr(0, 512)));
  for (const std::string& other :
       {std::string(), std::string("{"), std::string("{\"a\": 1}"), std::string("{}"),
        std::string("{0 }"), std::string("SQLite format 3"), dict({text("a"), integer(1)}),
        dict({tuple({text("a"), text("b"), text("c")}), "N"}), dict({tuple({text("mark")}), "T"}),
        dict({tuple({integer(1), integer(1), text("c")}), "N"})}) {
    EXPECT_FALSE(looks_like_pstats(other)) << other;
  }
}

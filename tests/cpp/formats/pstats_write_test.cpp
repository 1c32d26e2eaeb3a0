#include <gtest/gtest.h>

#include <limits>

#include "formats/marshal_bytes.h"
#include "formats/pstats_file.h"
#include "formats/real_files.h"

using namespace pyrometer;
using namespace pyrometer::marshal_bytes;

namespace {

void expect_round_trip(const PstatsFile& file) {
  const auto again = read_pstats(write_pstats(file));
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(*again, file);
}

}  // namespace

TEST(WritePstats, RealFilesSurvive) {
  for (const std::string& bytes : {cprofile_file(), sampled_file()}) {
    const auto file = read_pstats(bytes);
    ASSERT_TRUE(file) << file.error().message;
    expect_round_trip(*file);
    EXPECT_TRUE(looks_like_pstats(write_pstats(*file)));
  }
}

TEST(WritePstats, BytesAreThoseOfMarshalVersion4) {
  PstatsFile file;
  file.functions.push_back({.file = "a", .line = 2, .name = "f", .cost = {3, 1, 0.5, 1}});
  file.functions[0].callers.push_back({.function = 0, .cost = {2, 1, 0.25, 0.5}});
  EXPECT_EQ(write_pstats(file),
            from_hex("7b"  // {
                     "a903"
                     "fa0161"  //   (numbered 0) ("a" (1),
                     "6902000000"
                     "fa0166"              //    2, "f" (2)):
                     "2905"                //   (
                     "6901000000"          //    1 primitive call,
                     "6903000000"          //    3 calls,
                     "67000000000000e03f"  //    0.5,
                     "67000000000000f03f"  //    1.0,
                     "7b"
                     "7200000000"          //    {value 0:
                     "2904"                //     (
                     "6902000000"          //      2 calls,
                     "6901000000"          //      1 primitive call,
                     "67000000000000d03f"  //      0.25,
                     "67000000000000e03f"  //      0.5)
                     "30"                  //    })
                     "30"));               // }
}

TEST(WritePstats, ExtremesSurvive) {
  PstatsFile file;
  for (const std::int64_t count :
       {std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max(),
        std::int64_t{-1}, std::int64_t{0x7fffffff}, std::int64_t{0x80000000},
        -std::int64_t{0x80000000}, -std::int64_t{0x80000001}, std::int64_t{1} << 45}) {
    file.functions.push_back({.file = std::to_string(count),
                              .line = std::numeric_limits<std::int32_t>::min(),
                              .name = std::string(300, 'n'),
                              .cost = {count, count, 5e-324, -1.7e308}});
  }
  file.functions.push_back({.file = "\xed\xa0\x80", .line = 0, .name = ""});
  expect_round_trip(file);
}

TEST(WritePstats, SameLabelIsSummed) {
  PstatsFile file;
  const PstatsFunction lambda{.file = "a.py", .line = 1, .name = "<lambda>", .cost = {2, 1, 1, 3}};
  file.functions = {lambda, lambda, {.file = "b.py", .line = 1, .name = "g"}};
  file.functions[2].callers = {{.function = 1, .cost = {1, 1, 1, 1}},
                               {.function = 0, .cost = {2, 2, 2, 2}}};
  const auto again = read_pstats(write_pstats(file));
  ASSERT_TRUE(again) << again.error().message;
  ASSERT_EQ(again->functions.size(), 2U);
  EXPECT_EQ(again->functions[0].cost, (PstatsCost{4, 2, 2, 6}));
  ASSERT_EQ(again->functions[1].callers.size(), 1U);
  EXPECT_EQ(again->functions[1].callers[0], (PstatsCaller{0, {3, 3, 3, 3}, true}));
}

TEST(WritePstats, NamesThatPythonWouldRefuseAreRepaired) {
  PstatsFile file;
  file.functions.push_back({.file = "a\xff.py", .line = 1, .name = "f", .cost = {1, 1, 1, 1}});
  file.functions.push_back({.file = "a\xfe.py", .line = 1, .name = "f", .cost = {2, 2, 2, 2}});
  const auto again = read_pstats(write_pstats(file));
  ASSERT_TRUE(again) << again.error().message;
  ASSERT_EQ(again->functions.size(), 1U);  // now they have the same label
  EXPECT_EQ(again->functions[0].file, "a\xef\xbf\xbd.py");
  EXPECT_EQ(again->functions[0].cost.calls, 3);
}

TEST(WritePstats, NoFunctions) {
  EXPECT_EQ(write_pstats({}), "{0");
  expect_round_trip({.functions = {}, .sampled = true});
}

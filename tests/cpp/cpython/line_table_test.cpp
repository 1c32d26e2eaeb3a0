#include "cpython/line_table.h"

#include <gtest/gtest.h>

namespace pyrometer {
namespace {

using namespace std::string_view_literals;

TEST(LineTable, DecodesEveryKindOfEntry) {
  // short (2 units), one line ahead (1), without columns (1), long (3), none (8)
  const auto ranges = decode_line_table(
      "\x81\x45"
      "\xd8\x04\x09"
      "\xe8\x02"
      "\xf2\x03\x02\x05\x0a"
      "\xff"sv,
      10);
  ASSERT_EQ(ranges.size(), 5);
  EXPECT_EQ(ranges[0].instruction, 0);
  EXPECT_EQ(ranges[0].line, 10);
  EXPECT_EQ(ranges[0].column, 4);
  EXPECT_EQ(ranges[0].end_column, 9);
  EXPECT_EQ(ranges[1].instruction, 2);
  EXPECT_EQ(ranges[1].line, 11);
  EXPECT_EQ(ranges[1].column, 4);
  EXPECT_EQ(ranges[1].end_column, 9);
  EXPECT_EQ(ranges[2].line, 12);
  EXPECT_EQ(ranges[2].column, -1);
  EXPECT_EQ(ranges[3].instruction, 4);
  EXPECT_EQ(ranges[3].line, 11);
  EXPECT_EQ(ranges[3].end_line, 13);
  EXPECT_EQ(ranges[3].column, 4);
  EXPECT_EQ(ranges[3].end_column, 9);
  EXPECT_EQ(ranges[4].instruction, 7);
  EXPECT_EQ(ranges[4].line, 0);
}

TEST(LineTable, FindsTheLineOfAnInstruction) {
  const auto table = "\x81\x45\xd8\x04\x09\xff"sv;
  const auto ranges = decode_line_table(table, 10);
  const auto expect_line = [&](std::int32_t instruction, std::uint32_t line) {
    EXPECT_EQ(line_of(ranges, instruction, 10), line) << instruction;
    EXPECT_EQ(line_of(table, instruction, 10), line) << instruction;
  };
  expect_line(-1, 10);
  expect_line(1, 10);
  expect_line(2, 11);
  expect_line(5, 10);  // the compiler's own: the function as a whole
  EXPECT_EQ(line_of(std::string_view(), 3, 7), 7);
}

TEST(LineTable, StopsAtWhatCannotBeRight) {
  EXPECT_TRUE(decode_line_table("\x01\x02"sv, 1).empty());
  EXPECT_EQ(decode_line_table("\x81\x45\xf2\x03"sv, 1).size(), 1);
  EXPECT_TRUE(decode_line_table("\xe8\xff\xff\xff\xff\xff\xff\xff"sv, 1).empty());
}

}  // namespace
}  // namespace pyrometer

#include "analyze/restriction.h"

#include <gtest/gtest.h>

namespace pyrometer {
namespace {

std::string left_of(const std::string& text) {
  const auto restriction = Restriction::parse(text);
  if (!restriction) return restriction.error().message;
  std::vector<std::string> rows{"alpha", "beta", "gamma", "delta", "epsilon"};
  restriction->apply(rows, [](const std::string& row) { return row; });
  std::string left = restriction->representation() + ":";
  for (const std::string& row : rows) left += row[0];
  return left;
}

TEST(Restriction, CountsSharesAndPatterns) {
  EXPECT_EQ(left_of("2"), "2:ab");
  EXPECT_EQ(left_of("0"), "0:");
  EXPECT_EQ(left_of("9"), "9:abgde");
  EXPECT_EQ(left_of("-1"), "-1:abgde");
  EXPECT_EQ(left_of("+1"), "1:a");
  EXPECT_EQ(left_of("0.5"), "0.5:abg");  // 2.5 rows, rounded up
  EXPECT_EQ(left_of(".3"), "0.3:ab");
  EXPECT_EQ(left_of("0.0"), "0.0:");
  EXPECT_EQ(left_of("1.0"), "1.0:abgde");
  EXPECT_EQ(left_of("1e-5"), "1e-05:");
  EXPECT_EQ(left_of("l.*a"), "'l.*a':ad");
  EXPECT_EQ(left_of("inf"), "'inf':");
}

TEST(Restriction, AsPythonWritesIt) {
  EXPECT_EQ(left_of("\\d"), "'\\\\d':");
  EXPECT_EQ(left_of("'"), "\"'\":");
  EXPECT_EQ(left_of("'\""), "'\\'\"':");
  EXPECT_EQ(left_of("\t\x1b"), "'\\t\\x1b':");
}

TEST(Restriction, WhatCannotBeUsed) {
  EXPECT_NE(left_of("1.5").find("no share between 0 and 1"), std::string::npos);
  EXPECT_NE(left_of("-0.5").find("no share between 0 and 1"), std::string::npos);
  const auto broken = Restriction::parse("[");
  ASSERT_TRUE(broken);
  EXPECT_FALSE(broken->is_valid());
  EXPECT_EQ(broken->check().error().code, ErrorCode::kUsage);
  EXPECT_EQ(left_of("["), "'[':abgde");
}

}  // namespace
}  // namespace pyrometer

#include "base/rank_set.h"

#include <gtest/gtest.h>

namespace pyrometer {
namespace {

std::vector<int> members(std::string_view text, int below = 40) {
  const auto ranks = RankSet::parse(text);
  EXPECT_TRUE(ranks) << text;
  std::vector<int> found;
  for (int rank = 0; ranks && rank < below; ++rank) {
    if (ranks->contains(rank)) found.push_back(rank);
  }
  return found;
}

TEST(RankSet, RanksRangesAndEveryNth) {
  EXPECT_EQ(members("3"), std::vector{3});
  EXPECT_EQ(members("5-7"), (std::vector{5, 6, 7}));
  EXPECT_EQ(members("%16"), (std::vector{0, 16, 32}));
  EXPECT_EQ(members("0,5-6,%16"), (std::vector{0, 5, 6, 16, 32}));
  EXPECT_EQ(members("%1").size(), 40U);
}

TEST(RankSet, WhatNamesNoRankIsRefused) {
  for (const char* text : {"", ",", "1,", "a", "-1", "3-1", "1-", "%", "%0", "%-2", "1-2-3", " 1",
                           "0x1", "99999999999999999999", "1 2", "+1"}) {
    const auto ranks = RankSet::parse(text);
    ASSERT_FALSE(ranks) << text;
    EXPECT_EQ(ranks.error().code, ErrorCode::kUsage);
    EXPECT_NE(ranks.error().message.find("0,5-9,%16"), std::string::npos);
  }
}

}  // namespace
}  // namespace pyrometer

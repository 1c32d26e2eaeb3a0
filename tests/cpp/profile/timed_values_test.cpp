#include "profile/timed_values.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace pyrometer {
namespace {

TEST(TimedValues, HoldUntilTheNextOne) {
  const TimedValues values{{10, 5}, {20, 7}, {20, 8}};
  EXPECT_EQ(value_at(values, 9), 0);
  EXPECT_EQ(value_at(values, 10), 5);
  EXPECT_EQ(value_at(values, 19), 5);
  EXPECT_EQ(value_at(values, 20), 8);
  EXPECT_EQ(value_at({}, 20), 0);
}

TEST(ThinOut, FewStayAsTheyAre) {
  const TimedValues values{{1, 5}, {2, 7}, {3, 6}};
  EXPECT_EQ(thin_out(values, 3), values);
  EXPECT_EQ(thin_out({}, 3), TimedValues{});
}

TEST(ThinOut, KeepsBothEndsAndEveryPeak) {
  std::mt19937 random(5);
  TimedValues values;
  for (std::int64_t i = 0; i < 10'000; ++i) values.emplace_back(i * i, random() % 1000);
  values[1234].second = 5000;
  values[9876].second = -5000;
  for (const std::size_t most : {3U, 10U, 11U, 256U, 9'999U}) {
    const TimedValues few = thin_out(values, most);
    EXPECT_LE(few.size(), std::max<std::size_t>(most, 4)) << most;
    EXPECT_EQ(few.front(), values.front());
    EXPECT_EQ(few.back(), values.back());
    EXPECT_TRUE(std::is_sorted(few.begin(), few.end()));
    EXPECT_EQ(std::count(few.begin(), few.end(), values[1234]), 1) << most;
    EXPECT_EQ(std::count(few.begin(), few.end(), values[9876]), 1) << most;
    if (most >= 4) {
      EXPECT_EQ(thin_out(few, most), few);
    }
  }
}

TEST(ThinOut, StretchesAreOfTimeNotOfCount) {
  TimedValues values;
  for (std::int64_t i = 0; i < 1000; ++i) values.emplace_back(i, i % 7);  // a burst
  for (std::int64_t i = 1; i <= 50; ++i) values.emplace_back(1000 * i, i % 7);
  const TimedValues few = thin_out(values, 100);
  EXPECT_GE(std::count_if(few.begin(), few.end(), [](auto& each) { return each.first >= 1000; }),
            49);
}

TEST(ThinOut, ExtremeTimesAreFine) {
  TimedValues values{{INT64_MIN, 1}};
  for (std::int64_t i = 0; i < 100; ++i) values.emplace_back(i, i);
  values.emplace_back(INT64_MAX, 2);
  EXPECT_LE(thin_out(values, 20).size(), 20U);
}

TEST(TimedSum, AddsUpWhateverTheOrder) {
  TimedSum sum;
  sum.add({{20, 7}, {10, 5}});
  sum.add({{10, 1}, {15, 0}});
  EXPECT_EQ(sum.take(), (TimedValues{{10, 6}, {15, 5}, {20, 7}}));
  EXPECT_EQ(sum.take(), TimedValues{});
}

}  // namespace
}  // namespace pyrometer

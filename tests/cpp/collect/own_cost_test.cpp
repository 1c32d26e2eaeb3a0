#include "collect/own_cost.h"

#include <gtest/gtest.h>

namespace pyrometer {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;

TEST(OwnCost, KeepsTheWantedRateWhileItIsCheap) {
  OwnCost cost(200, 5'000);
  cost.update(1'000'000, 200, 1'000'000, kSecond);
  EXPECT_EQ(cost.fitting_rate(), 200);
  EXPECT_EQ(cost.total(), 1'000'000 + 200 * 5'000 + 1'000'000);
}

TEST(OwnCost, LowersTheRateUntilItFits) {
  OwnCost cost(200, 5'000);
  cost.update(40'000'000, 200, 0, kSecond);  // four per cent
  EXPECT_LT(cost.fitting_rate(), 55);
  EXPECT_GT(cost.fitting_rate(), 40);
}

TEST(OwnCost, RaisesItAgainWhenThereIsRoom) {
  OwnCost cost(200, 5'000);
  cost.update(40'000'000, 200, 0, kSecond);
  for (int second = 2; second < 20; ++second) {
    cost.update(40'000'000 + second * 10'000, 200, 0, second * kSecond);
  }
  EXPECT_EQ(cost.fitting_rate(), 200);
}

TEST(OwnCost, DoesNotJudgeByAMoment) {
  OwnCost cost(200, 5'000);
  cost.update(40'000'000, 200, 0, 100'000'000);
  EXPECT_EQ(cost.fitting_rate(), 200);
}

TEST(OwnCost, CountsWhatNoHandlerSees) {
  OwnCost cost(200, 100'000);  // two per cent at the wanted rate
  cost.update(0, 200, 0, kSecond);
  EXPECT_EQ(cost.total(), 200 * 100'000);
  EXPECT_NEAR(static_cast<double>(cost.fitting_rate()), 100, 2);
  const std::int64_t of_cpu_timers = usual_delivery_cost(TimerKind::kCpuTimer, false);
  EXPECT_GT(of_cpu_timers, 0);
  EXPECT_GE(usual_delivery_cost(TimerKind::kPerf, true), of_cpu_timers);
  EXPECT_GE(usual_delivery_cost(TimerKind::kPerf, false),
            usual_delivery_cost(TimerKind::kPerf, true));
}

}  // namespace
}  // namespace pyrometer

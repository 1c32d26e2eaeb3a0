#include "analyze/scaling_model.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace pyrometer {
namespace {

template <class Law>
std::vector<ScalingSample> samples_of(Law law, std::vector<double> counts) {
  std::vector<ScalingSample> samples;
  for (const double count : counts) samples.push_back({count, law(count)});
  return samples;
}

TEST(ScalingModel, FindsAmdahlsLaw) {
  const auto law = [](double p) { return 3 + 96 / p; };
  const ScalingFit fit = fit_scaling(samples_of(law, {2, 4, 8, 16}));
  ASSERT_TRUE(fit.model) << fit.reason;
  EXPECT_NEAR(fit.model->constant, 3, 1e-6);
  EXPECT_NEAR(fit.model->parallel, 96, 1e-6);
  EXPECT_NEAR(fit.model->logarithmic, 0, 1e-6);
  EXPECT_NEAR(fit.model->linear, 0, 1e-6);
  EXPECT_EQ(fit.model->largest_count, 64);
  EXPECT_FALSE(fit.model->fastest_count());  // ever faster
  EXPECT_NEAR(fit.model->time(32), 6, 1e-6);
}

TEST(ScalingModel, FindsWhereItStopsScaling) {
  const auto linear = [](double p) { return 100 / p + 0.25 * p; };
  ScalingFit fit = fit_scaling(samples_of(linear, {1, 2, 4, 8, 16, 32}));
  ASSERT_TRUE(fit.model) << fit.reason;
  EXPECT_NEAR(*fit.model->fastest_count(), 20, 1e-3);  // sqrt(100 / 0.25)
  const auto logarithmic = [](double p) { return 1 + 64 / p + std::log2(p); };
  fit = fit_scaling(samples_of(logarithmic, {1, 2, 4, 8, 16, 32}));
  ASSERT_TRUE(fit.model) << fit.reason;
  EXPECT_NEAR(fit.model->constant, 1, 1e-6);
  EXPECT_NEAR(*fit.model->fastest_count(), 64 * std::log(2), 1e-3);
}

TEST(ScalingModel, NoCountBeyondFourTimesTheLargest) {
  const auto law = [](double p) { return 1000 / p + 0.001 * p; };  // fastest at 1000
  const ScalingFit fit = fit_scaling(samples_of(law, {1, 2, 4, 8, 16, 32, 64}));
  ASSERT_TRUE(fit.model) << fit.reason;
  EXPECT_FALSE(fit.model->fastest_count());
  EXPECT_EQ(fit.model->largest_count, 256);
}

TEST(ScalingModel, StandsSomeNoise) {
  const double noise[] = {1.02, 0.985, 1.01, 0.99, 1.015, 0.98, 1.0};
  std::vector<ScalingSample> samples;
  for (std::size_t i = 0; i < std::size(noise); ++i) {
    const double p = std::exp2(static_cast<double>(i) + 1);
    samples.push_back({p, (5 + 200 / p) * noise[i]});
  }
  const ScalingFit fit = fit_scaling(samples);
  ASSERT_TRUE(fit.model) << fit.reason;
  EXPECT_NEAR(fit.model->constant, 5, 0.5);
  EXPECT_NEAR(fit.model->parallel, 200, 10);
  EXPECT_LT(fit.model->error, 0.05);
}

TEST(ScalingModel, NoneWhenThatIsNotSafe) {
  const auto law = [](double p) { return 3 + 96 / p; };
  EXPECT_NE(fit_scaling(samples_of(law, {2, 4, 8})).reason.find("3 counts"), std::string::npos);
  EXPECT_NE(fit_scaling({}).reason.find("0 counts"), std::string::npos);
  const std::vector<ScalingSample> jumping = {{1, 10}, {2, 80}, {4, 5}, {8, 120}, {16, 2}};
  EXPECT_NE(fit_scaling(jumping).reason.find("left out are missed by"), std::string::npos);
  const std::vector<ScalingSample> empty = {{1, 0}, {2, 0}, {4, 0}, {8, 0}};
  EXPECT_FALSE(fit_scaling(empty).model);
}

}  // namespace
}  // namespace pyrometer

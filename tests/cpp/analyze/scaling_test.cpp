#include "analyze/scaling.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "analyze/scaling_figures.h"

namespace pyrometer {
namespace {

CostRow row_at(std::uint32_t line, std::int64_t value, std::int64_t hits = 0) {
  return {.file = "a.py", .name = "f", .first_line = 1, .line = line, .value = value, .hits = hits};
}

ScalingRun run_of(std::int64_t count, std::vector<std::vector<CostRow>> ranks) {
  ScalingRun run{.count = count, .name = fmt::format("run-{}", count), .ranks = {}};
  for (std::vector<CostRow>& rows : ranks) {
    CostTable table{.metric = {"line-time", Unit::kNanoseconds}};
    for (const CostRow& row : rows) table.total += row.value;
    table.rows = std::move(rows);
    run.ranks.push_back(std::move(table));
  }
  return run;
}

std::string error_of(std::vector<ScalingRun> runs, const ScalingOptions& options = {}) {
  const auto scaling = make_scaling(std::move(runs), options);
  return scaling ? "none" : scaling.error().message;
}

TEST(ScalingFigures, OfStrongScaling) {
  // 100 s on the reference, 30 s on four times as many.
  const ScalingStep step{.ratio = 4};
  EXPECT_DOUBLE_EQ(speedup_of(100, 30, step), 100.0 / 30);
  EXPECT_DOUBLE_EQ(efficiency_of(100, 30, step), 100.0 / 120);
  // (0.3 - 0.25) / (1 - 0.25)
  EXPECT_DOUBLE_EQ(serial_fraction_of(100, 30, step), 1.0 / 15);
  EXPECT_DOUBLE_EQ(scaling_loss_of(100, 30, 50, step), 0.1);  // 5 of 50
}

TEST(ScalingFigures, OfWeakScaling) {
  // 100 s on the reference, 125 s on four times as many with four times the work.
  const ScalingStep step{.ratio = 4, .is_weak = true};
  EXPECT_DOUBLE_EQ(speedup_of(100, 125, step), 3.2);
  EXPECT_DOUBLE_EQ(efficiency_of(100, 125, step), 0.8);
  EXPECT_DOUBLE_EQ(serial_fraction_of(100, 125, step), 0.8 / 3);  // Gustafson
  EXPECT_DOUBLE_EQ(scaling_loss_of(100, 125, 250, step), 0.1);
}

TEST(Scaling, EveryFigureAgainstTheSmallestCount) {
  const Scaling scaling = make_scaling({run_of(8, {{row_at(2, 25, 1), row_at(3, 40, 3)}}),
                                        run_of(2, {{row_at(2, 80, 1), row_at(3, 40, 3)}}),
                                        run_of(4, {{row_at(2, 40, 1), row_at(3, 40, 3)}})},
                                       {})
                              .value();
  EXPECT_EQ(scaling.counts, (std::vector<std::int64_t>{2, 4, 8}));
  EXPECT_TRUE(scaling.is_of_lines);
  const auto& total = scaling.total.points;
  EXPECT_EQ(total[0]->time, 120);
  EXPECT_EQ(total[0]->speedup, 1);
  EXPECT_FALSE(total[0]->serial);
  EXPECT_DOUBLE_EQ(*total[1]->speedup, 1.5);
  EXPECT_DOUBLE_EQ(*total[1]->efficiency, 0.75);
  EXPECT_DOUBLE_EQ(*total[1]->serial, (80.0 / 120 - 0.5) / 0.5);  // 1/3: line 3
  EXPECT_DOUBLE_EQ(*total[1]->loss, 20.0 / 80);
  EXPECT_DOUBLE_EQ(*total[2]->speedup, 120.0 / 65);
  EXPECT_DOUBLE_EQ(*total[2]->loss, 35.0 / 65);
  ASSERT_EQ(scaling.rows.size(), 2U);
  const auto& line2 = scaling.rows[0].points;
  EXPECT_DOUBLE_EQ(*line2[1]->efficiency, 1);
  EXPECT_DOUBLE_EQ(*line2[1]->loss, 0);
  EXPECT_DOUBLE_EQ(*line2[2]->speedup, 3.2);
  EXPECT_DOUBLE_EQ(*line2[2]->loss, 5.0 / 65);
  const auto& line3 = scaling.rows[1].points;
  EXPECT_DOUBLE_EQ(*line3[2]->speedup, 1);
  EXPECT_DOUBLE_EQ(*line3[2]->serial, 1);
  EXPECT_DOUBLE_EQ(*line3[2]->loss, 30.0 / 65);
  // Three counts make no model.
  EXPECT_NE(scaling.total.fit.reason.find("3 counts"), std::string::npos);
}

TEST(Scaling, AgainstAnotherReference) {
  const Scaling scaling =
      make_scaling({run_of(2, {{row_at(2, 90)}}), run_of(4, {{row_at(2, 40)}})}, {.reference = 4})
          .value();
  const auto& points = scaling.rows[0].points;
  EXPECT_DOUBLE_EQ(*points[0]->speedup, 40.0 / 90);
  EXPECT_DOUBLE_EQ(*points[0]->efficiency, 80.0 / 90);
  EXPECT_EQ(points[1]->speedup, 1);
}

TEST(Scaling, TheSlowestRankOrAllTogether) {
  const auto runs = [] {
    return std::vector<ScalingRun>{
        run_of(2, {{row_at(2, 60, 6)}, {row_at(2, 100, 5)}}),
        run_of(4, {{row_at(2, 50, 1)}, {row_at(2, 10, 1)}, {row_at(2, 10, 2)}, {row_at(2, 10)}})};
  };
  const Scaling slowest = make_scaling(runs(), {}).value();
  EXPECT_EQ(slowest.rows[0].points[0]->time, 100);
  EXPECT_EQ(slowest.rows[0].points[0]->hits, 6);
  EXPECT_DOUBLE_EQ(*slowest.rows[0].points[1]->speedup, 2);
  const Scaling sum = make_scaling(runs(), {.time = RankTime::kSum}).value();
  EXPECT_EQ(sum.rows[0].points[0]->time, 160);
  EXPECT_EQ(sum.rows[0].points[1]->time, 80);
  EXPECT_EQ(sum.rows[0].points[1]->hits, 4);
  EXPECT_DOUBLE_EQ(*sum.rows[0].points[1]->speedup, 80.0 / 20);  // of the mean rank
  EXPECT_DOUBLE_EQ(*sum.rows[0].points[1]->efficiency, 2);       // half the core seconds
}

TEST(Scaling, RowsOfSomeRunsHaveGapsAndNoFiguresThatMeanNothing) {
  const Scaling scaling =
      make_scaling({run_of(2, {{row_at(2, 80), row_at(3, 0, 1)}}),
                    run_of(4, {{row_at(2, 40), row_at(3, 5, 1), row_at(4, 9)}})},
                   {})
          .value();
  ASSERT_EQ(scaling.rows.size(), 3U);
  EXPECT_FALSE(scaling.rows[1].points[1]->speedup);  // took no time on the reference
  EXPECT_FALSE(scaling.rows[2].points[0]);
  EXPECT_FALSE(scaling.rows[2].points[1]->speedup);  // was not there on the reference
  EXPECT_FALSE(scaling.rows[2].points[1]->loss);
  EXPECT_FALSE(field_of(scaling, scaling.rows[2], 0, ScalingField::kTime, true));
}

TEST(Scaling, OrderAndFields) {
  Scaling scaling =
      make_scaling({run_of(2, {{row_at(2, 80, 4), row_at(3, 10, 1), row_at(5, 1)}}),
                    run_of(4, {{row_at(2, 40, 8), row_at(3, 30, 2), row_at(4, 6, 9)}})},
                   {})
          .value();
  const auto lines = [&](ScalingOrder order) {
    sort_rows(scaling, order);
    std::string text;
    for (const ScalingRow& row : scaling.rows) text += std::to_string(row.place.line);
    return text;
  };
  EXPECT_EQ(lines(ScalingOrder::kTime), "2345");  // line 5 is not in the largest run
  EXPECT_EQ(lines(ScalingOrder::kHits), "4235");
  EXPECT_EQ(lines(ScalingOrder::kPerHit), "3245");
  EXPECT_EQ(lines(ScalingOrder::kPercent), "2345");
  EXPECT_EQ(lines(ScalingOrder::kLoss), "3245");  // 25 of 76, none, unknown
  sort_rows(scaling, ScalingOrder::kTime);
  const auto field = [&](ScalingField which, bool scaled) {
    return field_of(scaling, scaling.rows[0], 1, which, scaled);
  };
  EXPECT_EQ(field(ScalingField::kSpeedup, false), 2);
  EXPECT_EQ(field(ScalingField::kSpeedup, true), 4);  // perfect: the count
  EXPECT_EQ(field(ScalingField::kTime, false), 40);
  EXPECT_EQ(field(ScalingField::kTime, true), 80);  // perfect: as on the reference
  EXPECT_EQ(field(ScalingField::kHits, true), 8);
  EXPECT_EQ(field(ScalingField::kEfficiency, true), 1);
}

TEST(Scaling, SaysWhatIsWrongWithTheRuns) {
  EXPECT_NE(error_of({run_of(2, {{row_at(2, 1)}})}).find("two or more counts"), std::string::npos);
  const std::string twice = error_of({run_of(2, {{row_at(2, 1)}}), run_of(2, {{row_at(2, 1)}})});
  EXPECT_NE(twice.find("both of 2 processes"), std::string::npos);
  EXPECT_NE(error_of({run_of(2, {{row_at(2, 1)}}), run_of(4, {{row_at(3, 1)}})})
                .find("nothing that was measured"),
            std::string::npos);
  const auto two = [] {
    return std::vector<ScalingRun>{run_of(2, {{row_at(2, 1)}}), run_of(4, {{row_at(2, 1)}})};
  };
  EXPECT_NE(error_of(two(), {.reference = 3}).find("there are 2, 4"), std::string::npos);
  auto mixed = two();
  mixed[1].ranks[0].metric.name = "wall";
  EXPECT_NE(error_of(std::move(mixed)).find("of one kind"), std::string::npos);
}

}  // namespace
}  // namespace pyrometer

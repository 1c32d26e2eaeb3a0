#include "store/statistics.h"

#include <gtest/gtest.h>

#include <limits>

#include "store/value_block.h"

namespace pyrometer {
namespace {

TEST(ItemStatistics, NamesTheFirstProcessWithTheSmallestAndTheLargestValue) {
  const std::vector<std::int64_t> values{5, 2, 9, 2, 9};
  const auto statistics = ItemStatistics::of(values, 256, Combine::kSum);
  EXPECT_EQ(statistics.process_count, 5U);
  EXPECT_EQ(statistics.non_zero, 5U);
  EXPECT_EQ(statistics.total, 27);
  EXPECT_EQ(static_cast<double>(statistics.sum_of_squares), 195.0);
  EXPECT_EQ(statistics.minimum, 2);
  EXPECT_EQ(statistics.minimum_process, 257U);
  EXPECT_EQ(statistics.maximum, 9);
  EXPECT_EQ(statistics.maximum_process, 258U);
}

TEST(ItemStatistics, ProcessesWithoutAValueCountAsZero) {
  ItemStatistics statistics;
  statistics.append_zeros(3);
  statistics.append(ItemStatistics::of(std::vector<std::int64_t>{4, 6}, 3, Combine::kSum),
                    Combine::kSum);
  EXPECT_EQ(statistics.process_count, 5U);
  EXPECT_EQ(statistics.non_zero, 2U);
  EXPECT_EQ(statistics.minimum, 0);
  EXPECT_EQ(statistics.minimum_process, 0U);
  EXPECT_EQ(statistics.maximum, 6);
  EXPECT_EQ(statistics.maximum_process, 4U);

  ItemStatistics late;
  late.append(ItemStatistics::of(std::vector<std::int64_t>{4, 6}, 0, Combine::kSum), Combine::kSum);
  late.append_zeros(4);
  EXPECT_EQ(late.minimum, 0);
  EXPECT_EQ(late.minimum_process, 2U);
}

TEST(ItemStatistics, AMaximumOverProcessesIsNotTheirSum) {
  const std::vector<std::int64_t> values{5, 0, 9};
  const auto statistics = ItemStatistics::of(values, 0, Combine::kMax);
  EXPECT_EQ(statistics.total, 9);
  EXPECT_EQ(statistics.non_zero, 2U);
}

TEST(ItemStatistics, SumOfSquaresIsExactAndNeverOverflows) {
  constexpr std::int64_t kSmallest = std::numeric_limits<std::int64_t>::min();
  const std::vector<std::int64_t> few(3, kSmallest);
  EXPECT_EQ(static_cast<double>(ItemStatistics::of(few, 0, Combine::kSum).sum_of_squares),
            3 * 0x1p126);
  const std::vector<std::int64_t> many(10, kSmallest);
  EXPECT_EQ(static_cast<double>(ItemStatistics::of(many, 0, Combine::kSum).sum_of_squares),
            0x1p128);
  // 2^106 + 1 + 1 is lost in doubles added one by one.
  const std::vector<std::int64_t> mixed{1LL << 53, 1, 1};
  EXPECT_TRUE(ItemStatistics::of(mixed, 0, Combine::kSum).sum_of_squares ==
              (static_cast<unsigned __int128>(1) << 106) + 2);
}

TEST(ValueBlock, CombinesClassesForStatisticsAndTotals) {
  MergedTables tables;
  tables.profile.metrics = {{"wall", Unit::kNanoseconds, Combine::kSum},
                            {"peak", Unit::kBytes, Combine::kMax}};
  tables.profile.processes.resize(2);
  tables.profile.nodes.resize(3, Node{NodeId::none(), FunctionId(0), 0, {}});
  ValueBlock block(tables, {0, Subject::kNode, 0});
  block.set(2, 1, ThreadClass::kMain, 0, 10);
  block.set(2, 1, ThreadClass::kNative, 0, 5);
  block.set(1, 1, ThreadClass::kMain, 0, 1);
  block.set(2, 1, ThreadClass::kMain, 1, 10);
  block.set(2, 1, ThreadClass::kPython, 1, 30);
  const EncodedBlock encoded = block.encode();
  EXPECT_EQ(encoded.tiles.size(), 4U);
  ASSERT_EQ(encoded.statistics.size(), 3U);
  EXPECT_EQ(encoded.statistics[1].item, 2U);
  EXPECT_EQ(encoded.statistics[1].statistics.total, 15);
  EXPECT_EQ(encoded.statistics[1].statistics.maximum_process, 1U);
  EXPECT_EQ(encoded.statistics[2].statistics.total, 30);
  EXPECT_EQ(encoded.process_totals, (std::vector<std::int64_t>{0, 0, 16, 30}));
}

}  // namespace
}  // namespace pyrometer

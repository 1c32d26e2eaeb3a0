// What the processes of a job say about one metric of one item. A process without a value
// counts as zero. All sums are exact, so nothing depends on the order of the processes.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "base/result.h"
#include "store/merged_tables.h"

namespace pyrometer {

// Of the processes [0, process_count), or of a run of them that is to be appended.
struct ItemStatistics {
  std::uint32_t process_count = 0;
  std::uint32_t non_zero = 0;
  std::int64_t total = 0;
  unsigned __int128 sum_of_squares = 0;  // stays at its largest instead of overflowing
  std::int64_t minimum = 0;
  std::int64_t maximum = 0;
  std::uint32_t minimum_process = 0;  // the first that has it
  std::uint32_t maximum_process = 0;

  static ItemStatistics of(std::span<const std::int64_t> values, std::uint32_t first_process,
                           Combine combine);
  void append(const ItemStatistics& next, Combine combine);
  // Processes without a value, until there are `process_count`.
  void append_zeros(std::uint32_t count);
};

// The statistics of all items. Memory is spent in blocks of items that have any.
class StatisticsTable {
 public:
  explicit StatisticsTable(const MergedTables& tables);

  // `part` is of processes behind those added before.
  void append(Subject subject, std::uint32_t item, std::uint32_t metric,
              std::uint32_t first_process, const ItemStatistics& part, Combine combine);

  // Those with a value anywhere, in the order of item and metric.
  using Visit = std::function<Result<void>(std::uint32_t item, std::uint32_t metric,
                                           const ItemStatistics& statistics)>;
  Result<void> for_each(Subject subject, std::uint32_t process_count, const Visit& visit) const;

 private:
  using Block = std::array<ItemStatistics, kItemsPerBlock>;

  std::size_t metric_count_;
  // By subject, then by block of items and metric.
  std::array<std::vector<std::unique_ptr<Block>>, kSubjects> blocks_;
};

}  // namespace pyrometer

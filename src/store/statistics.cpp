#include "store/statistics.h"

#include "profile/value_rows.h"

namespace pyrometer {
namespace {

using Square = unsigned __int128;

Square square(std::int64_t value) {
  const auto bits = static_cast<std::uint64_t>(value);
  const std::uint64_t magnitude = value < 0 ? 0 - bits : bits;
  return Square{magnitude} * magnitude;
}

// With numbers that are never negative this is associative, so the order cannot matter.
Square saturating_sum(Square a, Square b) {
  const Square sum = a + b;
  return sum < a ? ~Square{0} : sum;
}

}  // namespace

ItemStatistics ItemStatistics::of(std::span<const std::int64_t> values, std::uint32_t first_process,
                                  Combine combine) {
  ItemStatistics result;
  for (const std::int64_t value : values) {
    const std::uint32_t process = first_process + result.process_count++;
    if (value != 0) ++result.non_zero;
    result.total = combined(combine, result.total, value);
    result.sum_of_squares = saturating_sum(result.sum_of_squares, square(value));
    if (result.process_count == 1 || value < result.minimum) {
      result.minimum = value;
      result.minimum_process = process;
    }
    if (result.process_count == 1 || value > result.maximum) {
      result.maximum = value;
      result.maximum_process = process;
    }
  }
  return result;
}

void ItemStatistics::append(const ItemStatistics& next, Combine combine) {
  if (process_count == 0) {
    *this = next;
    return;
  }
  process_count += next.process_count;
  non_zero += next.non_zero;
  total = combined(combine, total, next.total);
  sum_of_squares = saturating_sum(sum_of_squares, next.sum_of_squares);
  if (next.minimum < minimum) {
    minimum = next.minimum;
    minimum_process = next.minimum_process;
  }
  if (next.maximum > maximum) {
    maximum = next.maximum;
    maximum_process = next.maximum_process;
  }
}

void ItemStatistics::append_zeros(std::uint32_t count) {
  if (count <= process_count) return;
  ItemStatistics zeros;
  zeros.process_count = count - process_count;
  zeros.minimum_process = zeros.maximum_process = process_count;
  // Zeros change no total: neither a sum nor a maximum that starts from zero.
  append(zeros, Combine::kSum);
}

StatisticsTable::StatisticsTable(const MergedTables& tables)
    : metric_count_(tables.profile.metrics.size()) {
  for (std::size_t subject = 0; subject < kSubjects; ++subject) {
    const std::size_t items = tables.item_count(static_cast<Subject>(subject));
    blocks_[subject].resize((items + kItemsPerBlock - 1) / kItemsPerBlock * metric_count_);
  }
}

void StatisticsTable::append(Subject subject, std::uint32_t item, std::uint32_t metric,
                             std::uint32_t first_process, const ItemStatistics& part,
                             Combine combine) {
  const std::size_t place = item / kItemsPerBlock * metric_count_ + metric;
  std::unique_ptr<Block>& block = blocks_[static_cast<std::size_t>(subject)][place];
  if (!block) block = std::make_unique<Block>();
  ItemStatistics& statistics = (*block)[item % kItemsPerBlock];
  statistics.append_zeros(first_process);
  statistics.append(part, combine);
}

Result<void> StatisticsTable::for_each(Subject subject, std::uint32_t process_count,
                                       const Visit& visit) const {
  const auto& blocks = blocks_[static_cast<std::size_t>(subject)];
  for (std::size_t first = 0; first < blocks.size(); first += metric_count_) {
    for (std::uint32_t i = 0; i < kItemsPerBlock; ++i) {
      for (std::size_t metric = 0; metric < metric_count_; ++metric) {
        const std::unique_ptr<Block>& block = blocks[first + metric];
        if (!block || (*block)[i].non_zero == 0) continue;
        ItemStatistics statistics = (*block)[i];
        statistics.append_zeros(process_count);
        const auto item = static_cast<std::uint32_t>(first / metric_count_ * kItemsPerBlock + i);
        PYROMETER_TRY_VOID(visit(item, static_cast<std::uint32_t>(metric), statistics));
      }
    }
  }
  return {};
}

}  // namespace pyrometer

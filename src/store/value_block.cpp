#include "store/value_block.h"

#include "profile/value_rows.h"

namespace pyrometer {

ValueBlock::ValueBlock(const MergedTables& tables, BlockPlace place)
    : metrics_(tables.profile.metrics),
      place_(place),
      items_(rows_in_block(tables.item_count(place.subject), place.item_block, kItemsPerBlock)),
      processes_(
          rows_in_block(tables.profile.processes.size(), place.process_block, kProcessesPerBlock)),
      columns_(metrics_.size() * kThreadClasses) {}

// Starts from zero as every total does: a maximum of negative values is zero.
std::vector<std::int64_t> ValueBlock::over_classes(std::size_t metric, Combine combine) const {
  std::vector<std::int64_t> result;
  for (std::size_t i = 0; i < kThreadClasses; ++i) {
    const auto& values = columns_[metric * kThreadClasses + i];
    if (values.empty()) continue;
    result.resize(values.size());
    for (std::size_t k = 0; k < values.size(); ++k) {
      result[k] = combined(combine, result[k], values[k]);
    }
  }
  return result;
}

EncodedBlock ValueBlock::encode() const {
  EncodedBlock block{.place = place_, .tiles = {}, .statistics = {}, .process_totals = {}};
  const bool is_node = place_.subject == Subject::kNode;
  if (is_node) block.process_totals.resize(std::size_t{processes_} * metrics_.size());
  for (std::uint32_t metric = 0; metric < metrics_.size(); ++metric) {
    for (std::size_t i = 0; i < kThreadClasses; ++i) {
      Tile tile = encode_tile(columns_[metric * kThreadClasses + i]);
      if (tile.planes == 0) continue;
      block.tiles.push_back({metric, static_cast<ThreadClass>(i), std::move(tile)});
    }
    const Combine combine = combine_of(place_.subject, metrics_[metric]);
    const std::vector<std::int64_t> values = over_classes(metric, combine);
    for (std::uint32_t item = 0; item < (values.empty() ? 0 : items_); ++item) {
      const auto row = std::span(values).subspan(std::size_t{item} * processes_, processes_);
      const auto statistics =
          ItemStatistics::of(row, place_.process_block * kProcessesPerBlock, combine);
      if (statistics.non_zero == 0) continue;
      block.statistics.push_back({place_.item_block * kItemsPerBlock + item, metric, statistics});
      if (!is_node) continue;
      for (std::size_t process = 0; process < processes_; ++process) {
        std::int64_t& total = block.process_totals[process * metrics_.size() + metric];
        total = combined(combine, total, row[process]);
      }
    }
  }
  return block;
}

}  // namespace pyrometer

// The values of up to 64 items x 256 processes, of all metrics and thread classes: what is
// worked on at a time when a merged file is written. Encoding touches nothing else, so
// several blocks can be encoded in parallel.
#pragma once

#include <cstdint>
#include <vector>

#include "store/merged_tables.h"
#include "store/statistics.h"
#include "store/tile.h"

namespace pyrometer {

struct BlockPlace {
  std::uint32_t process_block = 0;
  Subject subject = Subject::kNode;
  std::uint32_t item_block = 0;
  friend auto operator<=>(const BlockPlace&, const BlockPlace&) = default;
};

struct EncodedBlock {
  struct PlacedTile {
    std::uint32_t metric = 0;
    ThreadClass thread_class = ThreadClass::kMain;
    Tile tile;
  };
  struct PlacedStatistics {
    std::uint32_t item = 0;
    std::uint32_t metric = 0;
    ItemStatistics statistics;  // of the block's processes
  };
  BlockPlace place;
  std::vector<PlacedTile> tiles;  // in the order of metric and class
  std::vector<PlacedStatistics> statistics;
  // By process of the block, then by metric: over the block's nodes; empty for lines and edges.
  std::vector<std::int64_t> process_totals;
};

class ValueBlock {
 public:
  ValueBlock(const MergedTables& tables, BlockPlace place);

  const BlockPlace& place() const { return place_; }

  // `item` and `process` count from the first of the block.
  void set(std::uint32_t item, std::uint32_t process, ThreadClass thread_class,
           std::uint32_t metric, std::int64_t value) {
    auto& values = columns_[metric * kThreadClasses + static_cast<std::size_t>(thread_class)];
    if (values.empty()) values.resize(std::size_t{items_} * processes_);
    values[std::size_t{item} * processes_ + process] = value;
  }

  EncodedBlock encode() const;

 private:
  std::vector<std::int64_t> over_classes(std::size_t metric, Combine combine) const;

  const std::vector<Metric>& metrics_;
  BlockPlace place_;
  std::uint32_t items_;
  std::uint32_t processes_;
  // By metric and class: by item, then by process. Empty where all values are zero.
  std::vector<std::vector<std::int64_t>> columns_;
};

}  // namespace pyrometer

// The values of one thread while they are being collected: one row per node that has any,
// one column per metric. A row costs one look-up, whatever the number of metrics.
#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <vector>

#include "profile/profile.h"

namespace pyrometer {

class ValueRows {
 public:
  class Row {
   public:
    std::int64_t& operator[](MetricId metric) {
      auto& columns = rows_.columns_;
      if (columns.size() <= metric.row()) columns.resize(metric.row() + 1);
      auto& column = columns[metric.row()];
      if (column.size() <= row_) column.resize(rows_.nodes_.size());
      return column[row_];
    }

   private:
    friend class ValueRows;
    Row(ValueRows& rows, std::uint32_t row) : rows_(rows), row_(row) {}
    ValueRows& rows_;
    std::uint32_t row_;
  };

  Row row(NodeId node) {
    if (node != last_node_) {
      const auto [found, inserted] =
          rows_.try_emplace(node.row(), static_cast<std::uint32_t>(nodes_.size()));
      if (inserted) nodes_.push_back(node);
      last_node_ = node;
      last_row_ = found->second;
    }
    return {*this, last_row_};
  }

  // Sets one metric to zero for all nodes.
  void clear(MetricId metric) {
    if (metric.row() < columns_.size()) columns_[metric.row()].clear();
  }

  // Adds (or for Combine::kMax, takes the larger of) every value of `other`.
  void combine(const ValueRows& other, const std::vector<Metric>& metrics);

  // By metric: cells sorted by node, without zeros.
  ThreadCells cells(std::size_t metric_count) const;

 private:
  boost::unordered_flat_map<std::uint32_t, std::uint32_t> rows_;
  std::vector<NodeId> nodes_;                       // by row
  std::vector<std::vector<std::int64_t>> columns_;  // by metric, then row; short ones mean zeros
  NodeId last_node_ = NodeId::none();
  std::uint32_t last_row_ = 0;
};

// One value of a metric from two.
std::int64_t combined(Combine combine, std::int64_t a, std::int64_t b);

}  // namespace pyrometer

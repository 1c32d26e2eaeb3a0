// The values of one thread while they are being collected: one row per node that has any,
// with room for every metric side by side. Finding a row is one look-up and its values
// share a cache line, because ten million samples each do both.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "profile/profile.h"

namespace pyrometer {

class ValueRows {
 public:
  class Row {
   public:
    // Valid until the next call for any row.
    std::int64_t& operator[](MetricId metric) {
      if (metric.row() >= rows_.stride_) rows_.widen(metric.row() + 1);
      return rows_.values_[std::size_t{row_} * rows_.stride_ + metric.row()];
    }

   private:
    friend class ValueRows;
    Row(ValueRows& rows, std::uint32_t row) : rows_(rows), row_(row) {}
    ValueRows& rows_;
    std::uint32_t row_;
  };

  Row row(NodeId node) {
    std::uint32_t& row = place_of(node);
    if (row == kNoRow) {
      row = static_cast<std::uint32_t>(nodes_.size());
      nodes_.push_back(node);
      values_.resize(values_.size() + stride_);
    }
    return {*this, row};
  }

  // Sets one metric to zero for all nodes.
  void clear(MetricId metric);

  // Adds (or for Combine::kMax, takes the larger of) every value of `other`.
  void combine(const ValueRows& other, const std::vector<Metric>& metrics);

  // By metric: cells sorted by node, without zeros.
  ThreadCells cells(std::size_t metric_count) const;

 private:
  static constexpr std::uint32_t kNoRow = 0xffffffffU;
  static constexpr std::size_t kPageSize = 512;
  using Page = std::array<std::uint32_t, kPageSize>;

  // Where the row of a node is kept: in pages made on demand, so that a thread with few nodes
  // stays small and one with many needs no hashing.
  std::uint32_t& place_of(NodeId node) {
    const std::size_t page = node.row() / kPageSize;
    if (page >= pages_.size()) pages_.resize(page + 1);
    if (!pages_[page]) {
      pages_[page] = std::make_unique<Page>();
      pages_[page]->fill(kNoRow);
    }
    return (*pages_[page])[node.row() % kPageSize];
  }

  void widen(std::size_t metrics);

  std::vector<std::unique_ptr<Page>> pages_;
  std::vector<NodeId> nodes_;  // by row
  std::size_t stride_ = 0;     // metrics a row has room for
  std::vector<std::int64_t> values_;
};

// One value of a metric from two.
std::int64_t combined(Combine combine, std::int64_t a, std::int64_t b);

}  // namespace pyrometer

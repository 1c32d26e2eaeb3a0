#include "profile/value_rows.h"

#include <algorithm>

namespace pyrometer {

std::int64_t combined(Combine combine, std::int64_t a, std::int64_t b) {
  return combine == Combine::kMax ? std::max(a, b) : a + b;
}

void ValueRows::combine(const ValueRows& other, const std::vector<Metric>& metrics) {
  for (std::size_t metric = 0; metric < other.columns_.size(); ++metric) {
    const auto& column = other.columns_[metric];
    for (std::size_t i = 0; i < column.size(); ++i) {
      if (column[i] == 0) continue;
      std::int64_t& value = row(other.nodes_[i])[MetricId::from_index(metric)];
      value = combined(metrics[metric].combine, value, column[i]);
    }
  }
}

ThreadCells ValueRows::cells(std::size_t metric_count) const {
  std::vector<std::uint32_t> order(nodes_.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(),
            [&](std::uint32_t a, std::uint32_t b) { return nodes_[a] < nodes_[b]; });
  ThreadCells cells(metric_count);
  for (std::size_t metric = 0; metric < columns_.size(); ++metric) {
    const auto& column = columns_[metric];
    for (const std::uint32_t row : order) {
      if (row < column.size() && column[row] != 0)
        cells[metric].push_back({nodes_[row], column[row]});
    }
  }
  return cells;
}

}  // namespace pyrometer

#include "profile/value_rows.h"

#include <algorithm>
#include <numeric>

namespace pyrometer {

std::int64_t combined(Combine combine, std::int64_t a, std::int64_t b) {
  return combine == Combine::kMax ? std::max(a, b) : a + b;
}

void ValueRows::widen(std::size_t metrics) {
  const std::size_t stride = std::max(metrics, 2 * stride_);
  std::vector<std::int64_t> wider(nodes_.size() * stride);
  for (std::size_t row = 0; row < nodes_.size(); ++row) {
    const auto from = values_.begin() + static_cast<std::ptrdiff_t>(row * stride_);
    std::copy_n(from, stride_, wider.begin() + static_cast<std::ptrdiff_t>(row * stride));
  }
  values_ = std::move(wider);
  stride_ = stride;
}

void ValueRows::clear(MetricId metric) {
  if (metric.row() >= stride_) return;
  for (std::size_t i = metric.row(); i < values_.size(); i += stride_) values_[i] = 0;
}

void ValueRows::combine(const ValueRows& other, const std::vector<Metric>& metrics) {
  for (std::size_t i = 0; i < other.values_.size(); ++i) {
    if (other.values_[i] == 0) continue;
    const std::size_t metric = i % other.stride_;
    std::int64_t& value = row(other.nodes_[i / other.stride_])[MetricId::from_index(metric)];
    value = combined(metrics[metric].combine, value, other.values_[i]);
  }
}

ThreadCells ValueRows::cells(std::size_t metric_count) const {
  std::vector<std::uint32_t> order(nodes_.size());
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(),
            [&](std::uint32_t a, std::uint32_t b) { return nodes_[a] < nodes_[b]; });
  ThreadCells cells(metric_count);
  for (const std::uint32_t row : order) {
    for (std::size_t metric = 0; metric < stride_; ++metric) {
      const std::int64_t value = values_[row * stride_ + metric];
      if (value != 0) cells[metric].push_back({nodes_[row], value});
    }
  }
  return cells;
}

}  // namespace pyrometer

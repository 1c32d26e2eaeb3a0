#include "analyze/ranks/rank_histogram.h"

#include <algorithm>

namespace pyrometer {

RankHistogram make_histogram(std::span<const double> values) {
  RankHistogram histogram;
  if (values.empty()) return histogram;
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  histogram.from = *least;
  histogram.to = *most;
  const double width = (histogram.to - histogram.from) / kRankBins;
  histogram.counts.resize(width > 0 ? kRankBins : 1);
  for (const double value : values) {
    const auto bin = width > 0 ? static_cast<std::size_t>((value - histogram.from) / width) : 0;
    ++histogram.counts[std::min(bin, histogram.counts.size() - 1)];
  }
  return histogram;
}

RankHistogram make_histogram(const RankTable& table, std::uint32_t item, std::size_t ranks) {
  const auto cells = table.row(item);
  double rest = table.items[item].total();
  for (const RankCell& cell : cells) rest -= static_cast<double>(cell.value);
  std::vector<double> values;
  for (const RankCell& cell : cells) values.push_back(static_cast<double>(cell.value));
  const auto light = static_cast<double>(ranks - cells.size());
  values.resize(ranks, light > 0 ? std::max(0.0, rest) / light : 0);
  return make_histogram(values);
}

}  // namespace pyrometer

#include "analyze/ranks/rank_facts.h"

#include <algorithm>
#include <tuple>

#include "analyze/ranks/rank_collector.h"

namespace pyrometer {

std::span<const RankCell> RankTable::row(std::uint32_t item) const {
  const auto is_before = [](const RankCell& cell, std::uint32_t wanted) {
    return cell.item < wanted;
  };
  const auto begin = std::lower_bound(cells.begin(), cells.end(), item, is_before);
  const auto end =
      std::find_if(begin, cells.end(), [item](const RankCell& cell) { return cell.item != item; });
  return {begin, end};
}

std::vector<double> RankTable::values(std::uint32_t item, std::size_t ranks) const {
  std::vector<double> values(ranks);
  for (const RankCell& cell : row(item)) values[cell.rank] = static_cast<double>(cell.value);
  return values;
}

void sort_cells(RankTable& table) {
  std::sort(table.cells.begin(), table.cells.end(), [](const RankCell& a, const RankCell& b) {
    return std::tie(a.item, a.rank) < std::tie(b.item, b.rank);
  });
}

RankFacts make_rank_facts(const Profile& profile, std::optional<MetricId> metric) {
  RankCollector collector(profile, metric);
  std::vector<std::vector<const ThreadCells*>> threads(profile.processes.size());
  for (std::size_t i = 0; i < profile.thread_cells.size(); ++i) {
    threads[profile.threads[i].process.row()].push_back(&profile.thread_cells[i]);
  }
  for (std::size_t i = 0; i < threads.size(); ++i) {
    collector.add(ProcessId::from_index(i), threads[i]);
  }
  return collector.finish();
}

}  // namespace pyrometer

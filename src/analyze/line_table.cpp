#include "analyze/line_table.h"

#include <algorithm>
#include <boost/unordered/unordered_flat_map.hpp>

#include "analyze/inclusive.h"
#include "analyze/python_owners.h"
#include "analyze/tree_index.h"

namespace pyrometer {
namespace {

// Lines by where they are, with how often each is on the path that is being walked.
class LineRows {
 public:
  struct Row {
    LineCost cost;
    std::uint32_t running = 0;
  };

  std::uint32_t find(FunctionId function, std::uint32_t line) {
    const std::uint64_t key = (std::uint64_t{function.row()} << 32) | line;
    const auto [found, is_new] =
        numbers_.try_emplace(key, static_cast<std::uint32_t>(rows_.size()));
    if (is_new) rows_.push_back({.cost = {.function = function, .line = line}});
    return found->second;
  }
  Row& operator[](std::uint32_t number) { return rows_[number]; }
  LineCost& cost(FunctionId function, std::uint32_t line) {
    return rows_[find(function, line)].cost;
  }

  // Those with any value, by place.
  std::vector<LineCost> table() const {
    std::vector<LineCost> table;
    for (const Row& row : rows_) {
      const LineCost& cost = row.cost;
      if (cost.self == 0 && cost.total == 0 && cost.hits == 0 && cost.samples == 0) continue;
      table.push_back(cost);
    }
    std::sort(table.begin(), table.end(), [](const LineCost& a, const LineCost& b) {
      return a.function != b.function ? a.function < b.function : a.line < b.line;
    });
    return table;
  }

 private:
  boost::unordered_flat_map<std::uint64_t, std::uint32_t> numbers_;
  std::vector<Row> rows_;
};

}  // namespace

std::vector<LineCost> make_line_table(const Profile& profile, MetricId metric) {
  const auto& self = profile.node_totals[metric.row()];
  const auto total = inclusive_values(profile, self, profile.metrics[metric.row()].combine);
  const auto samples_metric = profile.find_metric(metric::kSamples);
  const auto hits_metric = profile.find_metric(metric::kHits);

  LineRows rows;
  constexpr std::uint32_t kNoLine = ~0U;
  std::vector<std::uint32_t> path;  // the rows of the positions that are open
  const auto enter = [&](NodeId node) {
    const Node& position = profile.nodes[node.row()];
    path.push_back(position.line == 0 ? kNoLine : rows.find(position.function, position.line));
    if (position.line == 0) return;
    LineRows::Row& row = rows[path.back()];
    if (row.running++ == 0) row.cost.total += total[node.row()];
  };
  const auto leave = [&](NodeId) {
    if (path.back() != kNoLine) --rows[path.back()].running;
    path.pop_back();
  };
  TreeIndex(profile).walk(enter, leave);

  // A line that calls native code would cost nothing itself, and be missing among the expensive.
  const std::vector<NodeId> owners = python_owners(profile);
  for (std::size_t i = 0; i < owners.size(); ++i) {
    const NodeId owner = profile.nodes[i].line != 0 ? NodeId::from_index(i) : owners[i];
    if (owner.is_none() || profile.nodes[owner.row()].line == 0) continue;
    const Node& position = profile.nodes[owner.row()];
    LineCost& cost = rows.cost(position.function, position.line);
    cost.self += self[i];
    if (owner == NodeId::from_index(i)) cost.own += self[i];
    if (samples_metric) cost.samples += profile.node_totals[samples_metric->row()][i];
  }

  for (const LineValue& value : profile.line_values) {
    LineCost& cost = rows.cost(value.function, value.line);
    if (value.metric == hits_metric) cost.hits += value.value;
    if (value.metric == metric) {
      cost.own += value.value;
      cost.self += value.value;
      cost.total += value.value;
    }
  }
  return rows.table();
}

}  // namespace pyrometer

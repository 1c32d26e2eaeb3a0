#include "analyze/line_table.h"

#include <boost/unordered/unordered_flat_map.hpp>
#include <map>

#include "analyze/inclusive.h"
#include "analyze/tree_index.h"

namespace pyrometer {
namespace {

using LineKey = std::pair<FunctionId, std::uint32_t>;

}  // namespace

std::vector<LineCost> make_line_table(const Profile& profile, MetricId metric) {
  const auto& self = profile.node_totals[metric.row()];
  const auto total = inclusive_values(profile, self, profile.metrics[metric.row()].combine);
  const auto samples_metric = profile.find_metric(metric::kSamples);
  const auto hits_metric = profile.find_metric(metric::kHits);

  std::map<LineKey, LineCost> lines;
  std::map<LineKey, std::uint32_t> running;
  const auto key_of = [&](NodeId node) {
    const Node& position = profile.nodes[node.row()];
    return LineKey{position.function, position.line};
  };
  const auto enter = [&](NodeId node) {
    const LineKey key = key_of(node);
    if (key.second == 0) return;
    LineCost& cost = lines[key];
    cost.self += self[node.row()];
    if (samples_metric) cost.samples += profile.node_totals[samples_metric->row()][node.row()];
    if (running[key]++ == 0) cost.total += total[node.row()];
  };
  const auto leave = [&](NodeId node) {
    const LineKey key = key_of(node);
    if (key.second != 0) --running[key];
  };
  TreeIndex(profile).walk(enter, leave);

  for (const LineValue& value : profile.line_values) {
    LineCost& cost = lines[{value.function, value.line}];
    if (value.metric == hits_metric) cost.hits += value.value;
    if (value.metric == metric) {
      cost.self += value.value;
      cost.total += value.value;
    }
  }
  std::vector<LineCost> table;
  for (auto& [key, cost] : lines) {
    if (cost.self == 0 && cost.total == 0 && cost.hits == 0 && cost.samples == 0) continue;
    cost.function = key.first;
    cost.line = key.second;
    table.push_back(cost);
  }
  return table;
}

}  // namespace pyrometer

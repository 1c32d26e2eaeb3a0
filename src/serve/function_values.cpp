#include "serve/function_values.h"

#include <utility>

#include "analyze/inclusive.h"
#include "analyze/tree_index.h"
#include "profile/value_rows.h"

namespace pyrometer {

FunctionSums::FunctionSums(const Profile& profile)
    : profile_(profile), is_outermost_(profile.nodes.size()) {
  std::vector<std::uint32_t> running(profile.functions.size());
  double depth = 0;
  double depths = 0;
  TreeIndex(profile).walk(
      [&](NodeId node) {
        depths += ++depth;
        is_outermost_[node.row()] = running[profile.nodes[node.row()].function.row()]++ == 0;
      },
      [&](NodeId node) {
        --running[profile.nodes[node.row()].function.row()];
        --depth;
      });
  if (!profile.nodes.empty()) mean_depth_ = depths / static_cast<double>(profile.nodes.size());
}

void FunctionSums::add(std::span<const Cell> cells, bool total, Combine combine,
                       std::span<std::int64_t> sums) {
  const auto add_to = [&](NodeId node, std::int64_t value) {
    std::int64_t& sum = sums[profile_.nodes[node.row()].function.row()];
    sum = combined(combine, sum, value);
  };
  if (!total) {
    for (const Cell& cell : cells) add_to(cell.node, cell.value);
    return;
  }
  if (mean_depth_ * static_cast<double>(cells.size()) <
      static_cast<double>(profile_.nodes.size())) {
    for (const Cell& cell : cells) {
      for (NodeId at = cell.node; !at.is_none(); at = profile_.nodes[at.row()].parent) {
        if (is_outermost_[at.row()]) add_to(at, cell.value);
      }
    }
    return;
  }
  space_.resize(profile_.nodes.size());
  for (const Cell& cell : cells) space_[cell.node.row()] = cell.value;
  for (std::size_t i = space_.size(); i-- > 0;) {  // children before their parents
    const std::int64_t value = std::exchange(space_[i], 0);
    if (value == 0) continue;
    const NodeId parent = profile_.nodes[i].parent;
    if (!parent.is_none()) {
      space_[parent.row()] = combined(combine, space_[parent.row()], value);
    }
    if (is_outermost_[i]) add_to(NodeId::from_index(i), value);
  }
}

std::vector<FunctionCost> FunctionSums::of(std::span<const std::int64_t> self,
                                           Combine combine) const {
  const std::vector<std::int64_t> total = inclusive_values(profile_, self, combine);
  std::vector<FunctionCost> sums(profile_.functions.size());
  for (std::size_t i = 0; i < self.size(); ++i) {
    FunctionCost& cost = sums[profile_.nodes[i].function.row()];
    cost.self = combined(combine, cost.self, self[i]);
    if (is_outermost_[i]) cost.total = combined(combine, cost.total, total[i]);
  }
  std::vector<FunctionCost> costs;
  for (std::size_t i = 0; i < sums.size(); ++i) {
    if (sums[i].self == 0 && sums[i].total == 0) continue;
    sums[i].function = FunctionId::from_index(i);
    costs.push_back(sums[i]);
  }
  return costs;
}

}  // namespace pyrometer

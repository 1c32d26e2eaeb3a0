#include "serve/function_values.h"

#include "analyze/inclusive.h"
#include "analyze/tree_index.h"
#include "profile/value_rows.h"

namespace pyrometer {

FunctionSums::FunctionSums(const Profile& profile)
    : profile_(profile), is_outermost_(profile.nodes.size()) {
  std::vector<std::uint32_t> running(profile.functions.size());
  TreeIndex(profile).walk(
      [&](NodeId node) {
        is_outermost_[node.row()] = running[profile.nodes[node.row()].function.row()]++ == 0;
      },
      [&](NodeId node) { --running[profile.nodes[node.row()].function.row()]; });
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

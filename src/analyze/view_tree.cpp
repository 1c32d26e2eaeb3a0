#include "analyze/view_tree.h"

#include <algorithm>
#include <boost/unordered/unordered_flat_map.hpp>

#include "analyze/inclusive.h"

namespace pyrometer {
namespace {

constexpr std::uint32_t kNoParent = 0xffffffffU;

// Finds or adds the child of a view node for one function.
class ViewTreeMaker {
 public:
  std::uint32_t child(std::uint32_t parent, FunctionId function) {
    const std::uint64_t key = (std::uint64_t{parent} << 32) | function.row();
    const auto [found, inserted] =
        index_.try_emplace(key, static_cast<std::uint32_t>(tree_.nodes.size()));
    if (inserted) {
      const std::uint32_t depth = parent == kNoParent ? 0 : tree_.nodes[parent].depth + 1;
      tree_.nodes.push_back({.function = function, .depth = depth});
      (parent == kNoParent ? tree_.roots : tree_.nodes[parent].children).push_back(found->second);
    }
    return found->second;
  }

  ViewNode& operator[](std::uint32_t node) { return tree_.nodes[node]; }

  ViewTree finish() {
    const auto heavier = [&](std::uint32_t a, std::uint32_t b) {
      return tree_.nodes[a].total != tree_.nodes[b].total
                 ? tree_.nodes[a].total > tree_.nodes[b].total
                 : tree_.nodes[a].function < tree_.nodes[b].function;
    };
    std::sort(tree_.roots.begin(), tree_.roots.end(), heavier);
    for (ViewNode& node : tree_.nodes) {
      std::sort(node.children.begin(), node.children.end(), heavier);
    }
    return std::move(tree_);
  }

 private:
  ViewTree tree_;
  boost::unordered_flat_map<std::uint64_t, std::uint32_t> index_;
};

}  // namespace

ViewTree make_call_tree(const Profile& profile, MetricId metric) {
  const auto& self = profile.node_totals[metric.row()];
  const auto total = inclusive_values(profile, self, profile.metrics[metric.row()].combine);
  ViewTreeMaker maker;
  std::vector<std::uint32_t> view_of(profile.nodes.size(), kNoParent);
  for (std::size_t i = 0; i < profile.nodes.size(); ++i) {
    const Node& node = profile.nodes[i];
    const std::uint32_t parent = node.parent.is_none() ? kNoParent : view_of[node.parent.row()];
    view_of[i] = maker.child(parent, node.function);
    maker[view_of[i]].self += self[i];
    maker[view_of[i]].total += total[i];
  }
  return maker.finish();
}

ViewTree make_bottom_up_tree(const Profile& profile, MetricId metric, std::uint32_t depth) {
  const auto& self = profile.node_totals[metric.row()];
  ViewTreeMaker maker;
  for (std::size_t i = 0; i < profile.nodes.size(); ++i) {
    if (self[i] == 0) continue;
    std::uint32_t view = kNoParent;
    NodeId node = NodeId::from_index(i);
    for (std::uint32_t level = 0; level <= depth && !node.is_none(); ++level) {
      view = maker.child(view, profile.nodes[node.row()].function);
      maker[view].total += self[i];
      if (level == 0) maker[view].self += self[i];
      node = profile.nodes[node.row()].parent;
    }
  }
  return maker.finish();
}

}  // namespace pyrometer

#include "analyze/tree_index.h"

namespace pyrometer {

TreeIndex::TreeIndex(const Profile& profile) {
  // A counting sort by parent.
  const auto slot_of = [](const Node& node) -> std::size_t {
    return node.parent.is_none() ? 0 : node.parent.row() + std::size_t{1};
  };
  begin_.assign(profile.nodes.size() + 2, 0);
  for (const Node& node : profile.nodes) ++begin_[slot_of(node) + 1];
  for (std::size_t i = 1; i < begin_.size(); ++i) begin_[i] += begin_[i - 1];
  sorted_.assign(profile.nodes.size(), NodeId::none());
  std::vector<std::uint32_t> fill(begin_.begin(), begin_.end() - 1);
  for (std::size_t i = 0; i < profile.nodes.size(); ++i) {
    sorted_[fill[slot_of(profile.nodes[i])]++] = NodeId::from_index(i);
  }
}

}  // namespace pyrometer

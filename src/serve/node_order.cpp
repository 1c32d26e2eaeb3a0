#include "serve/node_order.h"

#include <algorithm>
#include <limits>

#include "analyze/inclusive.h"

namespace pyrometer {
namespace {

constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

}  // namespace

NodeOrder make_node_order(const Profile& profile, std::span<const std::int64_t> self) {
  const std::size_t count = profile.nodes.size();
  const std::vector<std::int64_t> total = inclusive_values(profile, self, Combine::kSum);
  std::vector<std::uint32_t> by_weight(count);
  for (std::size_t i = 0; i < count; ++i) by_weight[i] = static_cast<std::uint32_t>(i);
  // The lightest first: each one becomes the first child of its parent, so the heaviest ends there.
  std::sort(by_weight.begin(), by_weight.end(), [&](std::uint32_t a, std::uint32_t b) {
    return total[a] != total[b] ? total[a] < total[b] : a > b;
  });
  std::vector<std::uint32_t> first_child(count, kNone);
  std::vector<std::uint32_t> next_sibling(count, kNone);
  std::uint32_t first_root = kNone;
  for (const std::uint32_t node : by_weight) {
    const NodeId parent = profile.nodes[node].parent;
    std::uint32_t& first = parent.is_none() ? first_root : first_child[parent.row()];
    next_sibling[node] = first;
    first = node;
  }
  NodeOrder order{.nodes = {}, .rows = std::vector<std::uint32_t>(count)};
  order.nodes.reserve(count);
  for (std::uint32_t node = first_root; node != kNone;) {
    order.rows[node] = static_cast<std::uint32_t>(order.nodes.size());
    order.nodes.emplace_back(node);
    if (first_child[node] != kNone) {
      node = first_child[node];
      continue;
    }
    while (node != kNone && next_sibling[node] == kNone) {
      const NodeId parent = profile.nodes[node].parent;
      node = parent.is_none() ? kNone : parent.row();
    }
    if (node != kNone) node = next_sibling[node];
  }
  return order;
}

}  // namespace pyrometer

// The rows under which the view knows call-tree positions: a parent before its children, a whole
// subtree after the other, the heaviest first. So a picture needs no sorting, and much of it lies
// side by side.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "profile/profile.h"

namespace pyrometer {

struct NodeOrder {
  std::vector<NodeId> nodes;        // by row
  std::vector<std::uint32_t> rows;  // by node
};

// `self` is the value of each node by itself, as in Profile::node_totals.
NodeOrder make_node_order(const Profile& profile, std::span<const std::int64_t> self);

}  // namespace pyrometer

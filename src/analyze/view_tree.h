// Trees for people: positions merged into functions, from the top down or from the
// bottom up. Children come heaviest first.
#pragma once

#include <cstdint>
#include <vector>

#include "profile/profile.h"

namespace pyrometer {

struct ViewNode {
  FunctionId function;
  std::uint32_t depth = 0;
  std::int64_t self = 0;
  std::int64_t total = 0;
  std::vector<std::uint32_t> children;  // indexes into the tree
};

struct ViewTree {
  std::vector<ViewNode> nodes;
  std::vector<std::uint32_t> roots;  // heaviest first
};

// Each path of functions once. A recursive call is a child like any other.
ViewTree make_call_tree(const Profile& profile, MetricId metric);

// Roots are the functions with self time; below each, its callers by their share of it.
// `total` of every node is self time of the root's function reached through that path.
// At most `depth` levels of callers.
ViewTree make_bottom_up_tree(const Profile& profile, MetricId metric, std::uint32_t depth);

}  // namespace pyrometer

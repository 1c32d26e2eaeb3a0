// From values of positions to values of functions, again and again over one call tree. A function
// that calls itself counts once, so that no function costs more than everything.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "analyze/call_graph.h"
#include "profile/profile.h"

namespace pyrometer {

class FunctionSums {
 public:
  explicit FunctionSums(const Profile& profile);

  // From self values by node: the functions with any, by row.
  std::vector<FunctionCost> of(std::span<const std::int64_t> self, Combine combine) const;

  // Adds a position's value to its function, or with `total` to every function on the way to it.
  template <class Add>
  void for_each_function(NodeId node, bool total, Add add) const {
    if (!total) {
      add(profile_.nodes[node.row()].function);
      return;
    }
    for (NodeId at = node; !at.is_none(); at = profile_.nodes[at.row()].parent) {
      if (is_outermost_[at.row()]) add(profile_.nodes[at.row()].function);
    }
  }

 private:
  const Profile& profile_;
  std::vector<bool> is_outermost_;  // by node: its function is not running further up
};

}  // namespace pyrometer

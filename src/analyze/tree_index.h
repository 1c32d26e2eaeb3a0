// The children of every node, and a walk over the whole tree that does not recurse:
// a program may be sixty thousand calls deep.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "profile/profile.h"

namespace pyrometer {

class TreeIndex {
 public:
  explicit TreeIndex(const Profile& profile);

  std::span<const NodeId> roots() const { return children_of_slot(0); }
  std::span<const NodeId> children(NodeId node) const { return children_of_slot(node.row() + 1); }

  // enter(node) before and leave(node) after everything below the node.
  template <class Enter, class Leave>
  void walk(Enter enter, Leave leave) const {
    struct Open {
      NodeId node;
      std::span<const NodeId> left;
    };
    std::vector<Open> open;
    std::span<const NodeId> next = roots();
    for (;;) {
      if (!next.empty()) {
        const NodeId node = next.front();
        enter(node);
        open.push_back({node, next.subspan(1)});
        next = children(node);
      } else if (!open.empty()) {
        leave(open.back().node);
        next = open.back().left;
        open.pop_back();
      } else {
        return;
      }
    }
  }

 private:
  // Slot 0 holds the roots, slot n + 1 the children of node n.
  std::span<const NodeId> children_of_slot(std::size_t slot) const {
    return std::span(sorted_).subspan(begin_[slot], begin_[slot + 1] - begin_[slot]);
  }

  std::vector<std::uint32_t> begin_;
  std::vector<NodeId> sorted_;
};

}  // namespace pyrometer

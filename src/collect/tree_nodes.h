// The nodes of a thread's CallTree as nodes of the recording. For the session's thread.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "collect/call_tree.h"
#include "collect/recorder.h"

namespace pyrometer {

inline constexpr const char* kDeeperFrames = "(deeper frames)";

class TreeNodes {
 public:
  // Nothing when that cannot be said yet. `drain_codes` gives the recorder what was copied so far.
  std::optional<std::uint32_t> find(const CallTree& tree, std::uint32_t number, Recorder& recorder,
                                    const std::function<void()>& drain_codes) {
    if (number >= nodes_.size()) learn(tree, recorder, drain_codes);
    if (number >= nodes_.size()) return std::nullopt;
    return nodes_[number];
  }

 private:
  // A node names code that was copied before it: so the nodes are counted first. Still a copy may
  // be late, when another thread was interrupted while it made one; then the rest waits.
  void learn(const CallTree& tree, Recorder& recorder, const std::function<void()>& drain_codes) {
    const std::uint32_t size = tree.size();
    drain_codes();
    if (nodes_.empty()) nodes_.push_back(Recorder::kNoNode);
    for (auto i = static_cast<std::uint32_t>(nodes_.size()); i < size; ++i) {
      const CallTree::Node node = tree.node(i);
      if (node.code == CodeTable::kDeeper) {
        nodes_.push_back(recorder.label_node(Recorder::kNoNode, kDeeperFrames));
      } else if (recorder.knows_code(node.code)) {
        nodes_.push_back(recorder.python_node(nodes_[node.parent], node.code, node.instruction));
      } else {
        return;
      }
    }
  }

  std::vector<std::uint32_t> nodes_;
};

}  // namespace pyrometer

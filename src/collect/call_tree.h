// The call paths one thread was seen on, as a tree that its signal handler fills in: finding
// or adding a path allocates nothing and takes no lock. The recorder's thread reads what is
// new and provides more room before there is need; when there is none left, paths end early.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>

#include "os/pages.h"

namespace pyrometer {

class CallTree {
 public:
  struct Node {
    std::uint32_t parent = 0;
    std::uint32_t code = 0;        // number in the CodeTable
    std::int32_t instruction = 0;  // byte offset
  };
  static constexpr std::uint32_t kRoot = 0;
  static constexpr std::uint32_t kNoRoom = UINT32_MAX;
  static constexpr std::uint32_t kMostNodes = 1U << 16;  // unless told; a power of four

  // Of so many nodes, the last ones are for those that are added as a last resort.
  explicit CallTree(std::uint32_t most_nodes = kMostNodes, std::uint32_t kept_back = 0);
  ~CallTree();
  CallTree(const CallTree&) = delete;
  CallTree& operator=(const CallTree&) = delete;

  // In the handler: the number of `node`, added when it is new; kNoRoom when the tree is full.
  std::uint32_t child(const Node& node, bool is_last_resort = false);
  // False when the tree has its largest size: what has no room now never will.
  bool can_grow() const;

  // In the recorder's thread: the nodes so far (the root is number 0), and more room if they
  // fill the tree. Nodes never change once they are visible.
  std::uint32_t size() const { return size_.load(std::memory_order_acquire); }
  Node node(std::uint32_t number) const;
  void make_room();

 private:
  struct Storage;

  void take_over(Storage* larger);

  const std::uint32_t most_nodes_, kept_back_;
  std::atomic<Storage*> storage_;             // written by the handler
  std::atomic<Storage*> larger_{nullptr};     // offered by the recorder, taken by the handler
  std::atomic<Storage*> discarded_{nullptr};  // given back by the handler
  std::atomic<std::uint32_t> size_{1};
};

}  // namespace pyrometer

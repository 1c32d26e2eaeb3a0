#include "collect/call_tree.h"

namespace pyrometer {
namespace {

constexpr std::uint32_t kFirstCapacity = 1024;

}  // namespace

struct CallTree::Storage {
  explicit Storage(std::uint32_t nodes)
      : pages(nodes * sizeof(Node) + 2 * std::size_t{nodes} * sizeof(std::uint32_t)),
        capacity(nodes) {}

  Node* nodes() const { return reinterpret_cast<Node*>(pages.data()); }
  // Open addressing at most half full; 0 is a free place, as the root is never looked for.
  std::uint32_t* index() const {
    return reinterpret_cast<std::uint32_t*>(pages.data() + capacity * sizeof(Node));
  }
  std::uint32_t& place_of(const Node& node) const {
    constexpr std::uint64_t kOdd = 0x9e3779b97f4a7c15ULL;
    std::uint64_t hash = (std::uint64_t{node.parent} << 32U | node.code) * kOdd;
    hash = (hash ^ (hash >> 32U) ^ static_cast<std::uint32_t>(node.instruction)) * kOdd;
    const std::uint32_t mask = 2 * capacity - 1;
    for (auto at = static_cast<std::uint32_t>(hash >> 40U) & mask;; at = (at + 1) & mask) {
      std::uint32_t& place = index()[at];
      if (place == 0) return place;
      const Node& held = nodes()[place];
      if (held.parent == node.parent && held.code == node.code &&
          held.instruction == node.instruction) {
        return place;
      }
    }
  }

  Pages pages;
  std::uint32_t capacity;
};

CallTree::CallTree(std::uint32_t most_nodes, std::uint32_t kept_back)
    : most_nodes_(most_nodes), kept_back_(kept_back), storage_(new Storage(kFirstCapacity)) {}

CallTree::~CallTree() {
  delete storage_.load();
  delete larger_.load();
  delete discarded_.load();
}

std::uint32_t CallTree::child(const Node& node, bool is_last_resort) {
  Storage* storage = storage_.load(std::memory_order_relaxed);
  std::uint32_t* place = &storage->place_of(node);
  if (*place != 0) return *place;
  const std::uint32_t number = size_.load(std::memory_order_relaxed);
  if (!is_last_resort && number >= most_nodes_ - kept_back_) return kNoRoom;
  if (number == storage->capacity) {
    Storage* larger = larger_.load(std::memory_order_acquire);
    if (larger == nullptr) return kNoRoom;
    take_over(larger);
    storage = larger;
    place = &storage->place_of(node);
  }
  storage->nodes()[number] = node;
  *place = number;
  size_.store(number + 1, std::memory_order_release);
  return number;
}

bool CallTree::can_grow() const {
  return storage_.load(std::memory_order_relaxed)->capacity < most_nodes_;
}

void CallTree::take_over(Storage* larger) {
  Storage* old = storage_.load(std::memory_order_relaxed);
  const std::uint32_t size = size_.load(std::memory_order_relaxed);
  for (std::uint32_t i = 1; i < size; ++i) {
    larger->nodes()[i] = old->nodes()[i];
    larger->place_of(old->nodes()[i]) = i;
  }
  storage_.store(larger, std::memory_order_release);
  discarded_.store(old, std::memory_order_release);
  larger_.store(nullptr, std::memory_order_release);  // last: only now may another be offered
}

CallTree::Node CallTree::node(std::uint32_t number) const {
  return storage_.load(std::memory_order_acquire)->nodes()[number];
}

void CallTree::make_room() {
  if (larger_.load(std::memory_order_acquire) != nullptr) return;  // not taken over yet
  delete discarded_.exchange(nullptr, std::memory_order_acq_rel);
  const std::uint32_t capacity = storage_.load(std::memory_order_acquire)->capacity;
  if (size() < capacity / 2 || capacity >= most_nodes_) return;
  larger_.store(new Storage(4 * capacity), std::memory_order_release);
}

}  // namespace pyrometer

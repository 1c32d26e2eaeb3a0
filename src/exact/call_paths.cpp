#include "exact/call_paths.h"

#include <bit>
#include <new>
#include <utility>

namespace pyrometer {
namespace {

// The key of the position below which paths are folded.
const char kFolded = 0;

// Of a place for folded paths nothing is expected: it is its own last callee.
void expect_after_last(const CallPath* here, CallPath* next) {
  if (here->last != &no_call_path && here->last->key != &kFolded) here->last->follower = next;
}

std::size_t hash(const CallPath* parent, CallPath::Key key) {
  constexpr std::uint64_t kOdd = 0x9e3779b97f4a7c15ULL;
  std::uint64_t x =
      reinterpret_cast<std::uintptr_t>(parent) ^ (reinterpret_cast<std::uintptr_t>(key) * kOdd);
  x ^= x >> 29U;
  return x * kOdd;
}

}  // namespace

CallPath no_call_path{
    .key = nullptr, .parent = &no_call_path, .last = &no_call_path, .follower = &no_call_path};

CallPaths::CallPaths(CallClock clock, std::uint32_t most_paths)
    : clock_(clock), most_paths_(most_paths), top_(&no_call_path) {
  clear();
  set_top(&no_call_path);
}

void CallPaths::clear() {
  const bool was_counting = is_counting();
  size_.store(0, std::memory_order_release);
  constexpr std::size_t kFewSlots = 256;
  slots_.assign(kFewSlots, nullptr);
  folded_.clear();
  CallPath* root = add_child(nullptr, this, kNoFunction);
  root->parent = root;
  set_top(was_counting ? root : &no_call_path);
  last_.store(clock_.read(), std::memory_order_relaxed);
}

void CallPaths::begin() {
  set_top(place(0));
  last_.store(clock_.read(), std::memory_order_relaxed);
}

void CallPaths::end() {
  if (!is_counting()) return;
  spend();
  while (folded_.is_inside()) folded_.leave(now());
  close_until(place(0));
  set_top(&no_call_path);
}

void CallPaths::go_to_position_of(const CallPaths& other) {
  std::vector<const CallPath*> calls;
  for (const CallPath* path = other.top(); path->parent != path; path = path->parent) {
    if (path->key != &kFolded) calls.push_back(path);
  }
  for (std::size_t i = calls.size(); i-- > 0;) {
    stand_in(calls[i]->key, calls[i]->function);
  }
}

void CallPaths::stand_in(CallPath::Key key, std::uint32_t function) {
  CallPath* next = slots_[slot_of(top(), key)];
  set_top(next != nullptr ? next : add_child(top(), key, function));
  if (timeline_ != nullptr) timeline_->begin(*top(), now());
}

CallPath* CallPaths::place(std::uint32_t index) const {
  const std::size_t block = block_of(index);
  const std::uint32_t begin = (kFirstBlock << block) - kFirstBlock;
  return reinterpret_cast<CallPath*>(blocks_[block].data()) + (index - begin);
}

std::size_t CallPaths::slot_of(const CallPath* parent, CallPath::Key key) const {
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = hash(parent, key) >> 20U & mask;
  while (slots_[slot] != nullptr && (slots_[slot]->parent != parent || slots_[slot]->key != key)) {
    slot = (slot + 1) & mask;
  }
  return slot;
}

void CallPaths::grow_slots() {
  std::vector<CallPath*> old(slots_.size() * 2);
  std::swap(old, slots_);
  for (CallPath* path : old) {
    if (path != nullptr) slots_[slot_of(path->parent, path->key)] = path;
  }
}

CallPath* CallPaths::find(CallPath::Key key) {
  CallPath* here = top();
  if (here->key == &kFolded) return nullptr;
  CallPath* path = slots_[slot_of(here, key)];
  if (path != nullptr) expect_after_last(here, path);
  return path;
}

// Below a place where paths are folded the position stays: only the folded calls move.
CallPath* CallPaths::add(CallPath::Key key, std::uint32_t function) {
  CallPath* here = top();
  if (here->key != &kFolded) {
    if (size_.load(std::memory_order_relaxed) < most_paths_) {
      CallPath* path = add_child(here, key, function);
      expect_after_last(here, path);
      return path;
    }
    CallPath* fold = slots_[slot_of(here, &kFolded)];
    if (fold == nullptr) fold = add_child(here, &kFolded, kMorePaths);
    here = fold;
  }
  folded_.enter(here->parent, key, function, clock_.read());
  return here;
}

CallPath* CallPaths::add_child(CallPath* parent, CallPath::Key key, std::uint32_t function) {
  const std::uint32_t index = size_.load(std::memory_order_relaxed);
  const std::size_t block = block_of(index);
  if (blocks_[block].data() == nullptr) {
    blocks_[block] = Pages((std::size_t{kFirstBlock} << block) * sizeof(CallPath));
  }
  auto* path = new (place(index)) CallPath{.key = key,
                                           .parent = parent,
                                           .last = &no_call_path,
                                           .follower = nullptr,
                                           .function = function,
                                           .index = index,
                                           .depth = parent == nullptr ? 0 : parent->depth + 1};
  path->follower = path;
  if (parent != nullptr) {
    if (size_.load(std::memory_order_relaxed) * 2 > slots_.size()) grow_slots();
    slots_[slot_of(parent, key)] = path;
  }
  size_.store(index + 1, std::memory_order_release);
  return path;
}

void CallPaths::throttle(std::uint32_t function) {
  for (std::uint32_t i = 1; i < size(); ++i) {
    if (place(i)->function == function) place(i)->is_throttled.store(true);
  }
}

// Not the innermost call ends: returns were missed (a frame that another profiler's hook hid,
// an event that was switched off), or the function began before counting did.
void CallPaths::leave_another(CallPath::Key key) {
  if (top()->key == &kFolded) {
    leave_folded(key);
    return;
  }
  for (CallPath* path = top(); path->parent != path; path = path->parent) {
    if (path->key != key) continue;
    spend();
    close_until(path->parent);
    set_top(path->parent);
    return;
  }
}

void CallPaths::close_until(const CallPath* outer) {
  if (timeline_ == nullptr) return;
  for (const CallPath* path = top(); path != outer; path = path->parent) {
    if (path->key != &kFolded) timeline_->finish(*path, now());
  }
}

void CallPaths::leave_folded(CallPath::Key key) {
  spend();
  std::size_t ended = folded_.calls_until(key);
  if (ended == 0) return;
  while (ended-- > 0) folded_.leave(now());
  if (!folded_.is_inside()) set_top(top()->parent);
}

}  // namespace pyrometer

// Every path of calls of one thread, counted and timed: a tree in which the thread's position
// moves down at each call and up at each return, so the path to the root is its stack. Time
// since the last event belongs to the position before it; what a call took altogether is the
// sum below it, so the books always balance.
//
// Bounded: once there are kMostPaths, what is called on a new path is counted by function and
// caller instead (folded_calls.h), and the tree has one position for all of it.
//
// One thread writes. Others may read counts meanwhile: a position, once visible, stays.
#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstdint>
#include <new>
#include <vector>

#include "exact/call_clock.h"
#include "exact/call_path.h"
#include "exact/call_timeline.h"
#include "exact/folded_calls.h"
#include "os/pages.h"

namespace pyrometer {

class CallPaths {
 public:
  static constexpr std::uint32_t kMostPaths = 1U << 17;

  explicit CallPaths(CallClock clock, std::uint32_t most_paths = kMostPaths);
  CallPaths(const CallPaths&) = delete;
  CallPaths& operator=(const CallPaths&) = delete;
  ~CallPaths() = default;

  // `name` gives the number of the function behind `key`; it is asked only on a new path.
  template <class Name>
  void enter(CallPath::Key key, Name&& name) {
    CallPath* path = top()->last->follower;
    if (path->key != key) [[unlikely]] {
      path = find_or_add(key, name);
      if (path == nullptr) return;
    }
    // Our own search is the caller's time, as it is with cProfile.
    top()->last = path;
    path->calls.store(path->calls.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    spend();
    set_top(path);
    if (timeline_ != nullptr) [[unlikely]]
      timeline_->begin(*path, now());
  }

  void leave(CallPath::Key key) {
    if (top()->key != key) [[unlikely]] {
      leave_another(key);
      return;
    }
    spend();
    if (timeline_ != nullptr) [[unlikely]]
      timeline_->finish(*top(), now());
    set_top(top()->parent);
  }

  bool is_counting() const { return top() != &no_call_path; }
  // Counting begins now, outside every call.
  void begin();
  // What is still open ends now.
  void end();
  void clear();
  // From now on the latest calls are kept one by one as well; those on folded paths are not.
  void keep_timeline(CallTimeline* timeline) { timeline_ = timeline; }
  // Inside the calls that `other` is in, without counting them again.
  void go_to_position_of(const CallPaths& other);
  // One call deeper, which began before counting did.
  void stand_in(CallPath::Key key, std::uint32_t function);

  // ---- for readers
  std::uint32_t size() const { return size_.load(std::memory_order_acquire); }
  const CallPath& path(std::uint32_t index) const { return *place(index); }
  const CallPath* position() const { return top_.load(std::memory_order_relaxed); }
  // Counts since the last event, which belong to the position.
  std::int64_t pending() const {
    return static_cast<std::int64_t>(clock_.read() - last_.load(std::memory_order_relaxed));
  }
  // Only some calls of this function are to be counted from now on.
  void throttle(std::uint32_t function);
  const FoldedCalls& folded() const { return folded_; }
  bool is_folded() const { return folded_.has_any(); }

 private:
  CallPath* top() const { return top_.load(std::memory_order_relaxed); }
  void set_top(CallPath* path) { top_.store(path, std::memory_order_relaxed); }
  void spend() {
    const std::uint64_t now = clock_.read();
    auto& self = top()->self;
    self.store(self.load(std::memory_order_relaxed) +
                   static_cast<std::int64_t>(now - last_.load(std::memory_order_relaxed)),
               std::memory_order_relaxed);
    last_.store(now, std::memory_order_relaxed);
  }

  std::uint64_t now() const { return last_.load(std::memory_order_relaxed); }

  template <class Name>
  [[gnu::noinline]] CallPath* find_or_add(CallPath::Key key, Name& name) noexcept {
    if (!is_counting()) return nullptr;
    CallPath* path = find(key);
    if (path != nullptr) return path;
    try {
      return add(key, name());
    } catch (const std::bad_alloc&) {
      end();  // the program may still have enough
      return nullptr;
    }
  }
  CallPath* find(CallPath::Key key);
  CallPath* add(CallPath::Key key, std::uint32_t function);
  CallPath* add_child(CallPath* parent, CallPath::Key key, std::uint32_t function);
  void leave_another(CallPath::Key key);
  void close_until(const CallPath* outer);  // in the timeline
  void leave_folded(CallPath::Key key);

  CallPath* place(std::uint32_t index) const;
  std::size_t slot_of(const CallPath* parent, CallPath::Key key) const;
  void grow_slots();

  CallClock clock_;
  std::uint32_t most_paths_;
  std::atomic<CallPath*> top_;
  std::atomic<std::uint64_t> last_{0};  // when the last event was
  CallTimeline* timeline_ = nullptr;

  static constexpr std::uint32_t kFirstBlock = 64;  // paths; each block is twice the one before
  static std::size_t block_of(std::uint32_t index) {
    return static_cast<std::size_t>(std::bit_width(index + kFirstBlock) -
                                    std::bit_width(kFirstBlock));
  }
  std::array<Pages, 14> blocks_;
  std::atomic<std::uint32_t> size_{0};
  std::vector<CallPath*> slots_;  // by parent and key, open addressing, a power of two
  FoldedCalls folded_;
};

}  // namespace pyrometer

// Calls on paths that found no room in the tree, counted by function and by caller with
// pstats' rules: a call is recursive when the function (or the same call edge) is active
// already, and only the outermost one adds to the total.
//
// Which functions are active on the path that leads here is found by following the tree's
// position lazily: each step was a call or a return once, so it costs next to nothing.
#pragma once

#include <atomic>
#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <mutex>
#include <vector>

#include "exact/call_path.h"

namespace pyrometer {

struct CallStatistics {
  std::uint64_t calls = 0;
  std::uint64_t recursive_calls = 0;
  std::int64_t self = 0;   // in counts of the clock
  std::int64_t total = 0;  // of calls that were not recursive
};

// A function called by another one.
struct CallPair {
  std::uint32_t caller = 0;
  std::uint32_t callee = 0;
  bool operator==(const CallPair&) const = default;
};
inline std::size_t hash_value(const CallPair& pair) {
  return ((std::uint64_t{pair.caller} << 32U) | pair.callee) * 0x9e3779b97f4a7c15ULL;
}

class FoldedCalls {
 public:
  using Functions = boost::unordered_flat_map<std::uint32_t, CallStatistics>;
  using Pairs = boost::unordered_flat_map<CallPair, CallStatistics>;

  // A call below `path`, the innermost position of the tree.
  void enter(const CallPath* path, CallPath::Key key, std::uint32_t function, std::uint64_t now);
  // The innermost call ends.
  void leave(std::uint64_t now);
  bool is_inside() const { return !open_.empty(); }
  // How many of the innermost calls end when one of `key` does; 0: there is none.
  std::size_t calls_until(CallPath::Key key) const;
  void clear();

  // ---- for readers in any thread
  bool has_any() const { return has_any_.load(std::memory_order_acquire); }
  // Calls that have ended.
  struct Counts {
    Functions functions;
    Pairs pairs;  // without calls that the thread's root made
  };
  Counts counts() const;

 private:
  struct Open {
    CallPath::Key key = nullptr;
    std::uint32_t function = kNoFunction;
    CallPair pair;
    std::uint64_t start = 0;
    std::int64_t below = 0;  // time of what it called
  };

  void follow(const CallPath* path);
  void activate(const CallPath* path, std::int32_t by);

  std::vector<Open> open_;
  std::atomic<bool> has_any_{false};
  mutable std::mutex mutex_;
  Counts counts_;                       // under the lock
  const CallPath* followed_ = nullptr;  // the position that the levels below stand for
  boost::unordered_flat_map<std::uint32_t, std::int32_t> function_levels_;
  boost::unordered_flat_map<CallPair, std::int32_t> pair_levels_;
};

}  // namespace pyrometer

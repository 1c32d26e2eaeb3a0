// One path of calls from a thread's root.
#pragma once

#include <atomic>
#include <cstdint>

namespace pyrometer {

inline constexpr std::uint32_t kNoFunction = UINT32_MAX;     // of a thread's root
inline constexpr std::uint32_t kMorePaths = UINT32_MAX - 1;  // of a place where paths are folded

struct CallPath {
  // What was called: the address of a code object, of a built-in function's definition, or
  // whatever else stands for one function as long as it is held.
  using Key = const void*;

  Key key = nullptr;
  CallPath* parent = nullptr;
  // Callees tend to follow each other as they did before: `last` is the callee of the last call
  // from here, and its `follower` what was called after it then.
  CallPath* last = nullptr;
  CallPath* follower = nullptr;
  std::atomic<std::uint64_t> calls{0};
  std::atomic<std::int64_t> self{0};  // in counts of the clock
  std::uint32_t function = kNoFunction;
  std::uint32_t index = 0;  // parents come before their children
  std::uint32_t depth = 0;
  std::atomic<bool> is_throttled{false};  // so cheap and frequent that only some calls count
};

// What `last` and `follower` are where there is none: it has no key, so no call is ever it.
extern CallPath no_call_path;

}  // namespace pyrometer

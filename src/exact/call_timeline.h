// The latest calls of one thread, each with its beginning and end: a ring in which the oldest
// make room for new ones. One thread writes, another may read what is there.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "exact/call_path.h"
#include "os/pages.h"

namespace pyrometer {

class CallTimeline {
 public:
  struct Call {
    std::uint64_t start = 0;  // in counts of the clock
    std::uint64_t end = 0;
    std::uint32_t path = 0;  // its index
  };

  explicit CallTimeline(std::uint32_t capacity)
      : capacity_(capacity), pages_(std::size_t{capacity} * sizeof(Call)) {}

  void begin(const CallPath& path, std::uint64_t now) {
    if (path.depth >= starts_.size()) starts_.resize(2 * std::size_t{path.depth} + 64);
    starts_[path.depth] = now;
  }
  void finish(const CallPath& path, std::uint64_t now) {
    if (path.depth >= starts_.size() || starts_[path.depth] == 0) return;
    const std::uint64_t number = count_.load(std::memory_order_relaxed);
    ring()[number % capacity_] = {starts_[path.depth], now, path.index};
    count_.store(number + 1, std::memory_order_release);
  }

  // Those since the last `seen`, in the order of their beginnings.
  struct Latest {
    std::vector<Call> calls;
    std::uint64_t dropped = 0;  // older ones that there is no trace of
    std::uint64_t seen = 0;     // in all
  };
  Latest latest(std::uint64_t seen) const;

 private:
  Call* ring() const { return reinterpret_cast<Call*>(pages_.data()); }

  const std::uint32_t capacity_;
  Pages pages_;
  std::vector<std::uint64_t> starts_;  // of the calls that are open, by depth
  std::atomic<std::uint64_t> count_{0};
};

}  // namespace pyrometer

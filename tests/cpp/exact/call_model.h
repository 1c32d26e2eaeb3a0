// cProfile's bookkeeping in its plainest form, to compare ours with: a stack of open calls and
// counters of how often each function and each call edge is active.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "exact/folded_calls.h"

namespace pyrometer {

class CallModel {
 public:
  void enter(std::uint32_t function, std::int64_t now) {
    ++active_[function];
    if (!open_.empty()) ++active_edges_[{open_.back().function, function}];
    open_.push_back({function, now, 0});
  }

  void leave(std::int64_t now) {
    const Open call = open_.back();
    open_.pop_back();
    const std::int64_t total = now - call.start;
    count(functions[call.function], --active_[call.function], total, total - call.below);
    if (open_.empty()) return;
    open_.back().below += total;
    const std::pair edge{open_.back().function, call.function};
    count(edges[edge], --active_edges_[edge], total, total - call.below);
  }

  std::size_t depth() const { return open_.size(); }

  std::map<std::uint32_t, CallStatistics> functions;
  std::map<std::pair<std::uint32_t, std::uint32_t>, CallStatistics> edges;

 private:
  struct Open {
    std::uint32_t function;
    std::int64_t start;
    std::int64_t below;
  };

  static void count(CallStatistics& statistics, int level, std::int64_t total, std::int64_t self) {
    ++statistics.calls;
    statistics.self += self;
    if (level == 0) {
      statistics.total += total;
    } else {
      ++statistics.recursive_calls;
    }
  }

  std::vector<Open> open_;
  std::map<std::uint32_t, int> active_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, int> active_edges_;
};

}  // namespace pyrometer

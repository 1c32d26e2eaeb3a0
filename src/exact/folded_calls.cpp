#include "exact/folded_calls.h"

namespace pyrometer {

namespace {

bool is_root(const CallPath* path) { return path->parent == path; }

}  // namespace

void FoldedCalls::activate(const CallPath* path, std::int32_t by) {
  function_levels_[path->function] += by;
  if (!is_root(path->parent)) {
    pair_levels_[{path->parent->function, path->function}] += by;
  }
}

void FoldedCalls::follow(const CallPath* path) {
  const CallPath* from = followed_;
  const CallPath* to = path;
  // Down to the common depth, then both together: what is left is active in both.
  const auto depth_of = [](const CallPath* place) { return place == nullptr ? 0 : place->depth; };
  while (depth_of(from) > depth_of(to)) {
    activate(from, -1);
    from = from->parent;
  }
  while (depth_of(to) > depth_of(from)) {
    activate(to, +1);
    to = to->parent;
  }
  while (depth_of(from) > 0 && from != to) {
    activate(from, -1);
    activate(to, +1);
    from = from->parent;
    to = to->parent;
  }
  followed_ = path;
}

void FoldedCalls::enter(const CallPath* path, CallPath::Key key, std::uint32_t function,
                        std::uint64_t now) {
  if (open_.empty()) follow(path);
  const std::uint32_t caller = open_.empty() ? path->function : open_.back().function;
  const CallPair pair{caller, function};
  ++function_levels_[function];
  ++pair_levels_[pair];
  open_.push_back({key, function, pair, now});
}

void FoldedCalls::leave(std::uint64_t now) {
  const Open call = open_.back();
  open_.pop_back();
  const auto total = static_cast<std::int64_t>(now - call.start);
  if (!open_.empty()) open_.back().below += total;
  const auto count = [&](CallStatistics& statistics, std::int32_t level) {
    ++statistics.calls;
    statistics.self += total - call.below;
    if (level == 0) {
      statistics.total += total;
    } else {
      ++statistics.recursive_calls;
    }
  };
  const std::lock_guard lock(mutex_);
  count(counts_.functions[call.function], --function_levels_[call.function]);
  const std::int32_t pair_level = --pair_levels_[call.pair];
  if (call.pair.caller != kNoFunction) count(counts_.pairs[call.pair], pair_level);
  has_any_.store(true, std::memory_order_release);
}

std::size_t FoldedCalls::calls_until(CallPath::Key key) const {
  for (std::size_t i = open_.size(); i-- > 0;) {
    if (open_[i].key == key) return open_.size() - i;
  }
  return 0;
}

void FoldedCalls::clear() {
  const std::lock_guard lock(mutex_);
  open_.clear();
  counts_ = {};
  has_any_.store(false);
  followed_ = nullptr;
  function_levels_.clear();
  pair_levels_.clear();
}

FoldedCalls::Counts FoldedCalls::counts() const {
  const std::lock_guard lock(mutex_);
  return counts_;
}

}  // namespace pyrometer

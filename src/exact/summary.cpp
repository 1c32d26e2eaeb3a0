#include "exact/summary.h"

#include <vector>

namespace pyrometer {
namespace {

struct PathSums {
  std::vector<std::uint64_t> calls;
  std::vector<std::int64_t> self, total;
};

PathSums read_sums(const CallPaths& paths) {
  const std::uint32_t size = paths.size();
  PathSums sums;
  for (std::uint32_t i = 0; i < size; ++i) {
    sums.calls.push_back(paths.path(i).calls.load(std::memory_order_relaxed));
    sums.self.push_back(paths.path(i).self.load(std::memory_order_relaxed));
  }
  const CallPath* open = paths.position();
  if (paths.is_counting()) {
    sums.self[open->index] += paths.pending();
    for (; open->parent != open; open = open->parent) --sums.calls[open->index];
  }
  sums.total = sums.self;
  // Children come after their parents.
  for (std::uint32_t i = size; i-- > 1;) sums.total[paths.path(i).parent->index] += sums.total[i];
  return sums;
}

// The children of every path, as lists: first child, then the next of the same parent.
struct ChildLists {
  static constexpr std::uint32_t kNone = 0;  // the root is nobody's child
  std::vector<std::uint32_t> first, next;

  explicit ChildLists(const CallPaths& paths, std::uint32_t size) : first(size), next(size) {
    for (std::uint32_t i = size; i-- > 1;) {
      const std::uint32_t parent = paths.path(i).parent->index;
      next[i] = first[parent];
      first[parent] = i;
    }
  }
};

class Summarizer {
 public:
  explicit Summarizer(const CallPaths& paths)
      : paths_(paths), sums_(read_sums(paths)), counts_(paths.folded().counts()) {}

  FoldedCalls::Counts walk() {
    const auto size = static_cast<std::uint32_t>(sums_.calls.size());
    const ChildLists lists(paths_, size);
    std::uint32_t at = lists.first[0];
    while (at != ChildLists::kNone) {
      enter(paths_.path(at), at);
      if (lists.first[at] != ChildLists::kNone) {
        at = lists.first[at];
        continue;
      }
      while (at != 0) {
        leave(paths_.path(at));
        if (lists.next[at] != ChildLists::kNone) {
          at = lists.next[at];
          break;
        }
        at = paths_.path(at).parent->index;
      }
    }
    return std::move(counts_);
  }

 private:
  static bool is_folded(const CallPath& path) { return path.function == kMorePaths; }

  void add(CallStatistics& statistics, std::uint32_t index, bool is_outermost) const {
    statistics.calls += sums_.calls[index];
    statistics.self += sums_.self[index];
    if (is_outermost) {
      statistics.total += sums_.total[index];
    } else {
      statistics.recursive_calls += sums_.calls[index];
    }
  }

  void enter(const CallPath& path, std::uint32_t index) {
    if (is_folded(path)) return;  // its calls are in the counts already
    add(counts_.functions[path.function], index, function_levels_[path.function]++ == 0);
    const CallPair pair{path.parent->function, path.function};
    if (pair.caller == kNoFunction) return;
    add(counts_.pairs[pair], index, pair_levels_[pair]++ == 0);
  }

  void leave(const CallPath& path) {
    if (is_folded(path)) return;
    --function_levels_[path.function];
    const CallPair pair{path.parent->function, path.function};
    if (pair.caller != kNoFunction) --pair_levels_[pair];
  }

  const CallPaths& paths_;
  PathSums sums_;
  FoldedCalls::Counts counts_;
  boost::unordered_flat_map<std::uint32_t, std::uint32_t> function_levels_;
  boost::unordered_flat_map<CallPair, std::uint32_t> pair_levels_;
};

}  // namespace

FoldedCalls::Counts summarize_calls(const CallPaths& paths) { return Summarizer(paths).walk(); }

}  // namespace pyrometer

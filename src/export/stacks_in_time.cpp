#include "export/stacks_in_time.h"

#include <algorithm>
#include <limits>

namespace pyrometer {
namespace {

constexpr std::size_t kMostCalls = 8'000'000;

class StackJoiner {
 public:
  explicit StackJoiner(const Profile& profile) : profile_(profile) {
    depths_.reserve(profile.nodes.size());
    for (const Node& node : profile.nodes) {
      depths_.push_back(node.parent.is_none() ? 1 : depths_[node.parent.row()] + 1);
    }
  }

  // Where the last position ended; the next one begins there or later.
  std::int64_t at() const { return at_; }
  std::size_t size() const { return calls_.size(); }

  void add(std::int64_t start, std::int64_t duration, NodeId node) {
    if (start > at_) close_to(0);
    std::vector<NodeId> path;  // from the position up to what is open already
    NodeId up = node;
    while (!up.is_none() && !is_open(up)) {
      path.push_back(up);
      up = profile_.nodes[up.row()].parent;
    }
    std::size_t level = up.is_none() ? 0 : depths_[up.row()];
    // Another line of the same function is the same call.
    while (!path.empty() && level < open_.size() &&
           function(open_[level].node) == function(path.back())) {
      open_[level++].node = path.back();
      path.pop_back();
    }
    close_to(level);
    for (; !path.empty(); path.pop_back()) {
      open_.push_back({path.back(), calls_.size()});
      calls_.push_back({.start = start, .duration = 0, .node = path.back()});
    }
    at_ = start + duration;
  }

  std::vector<CallTrack::Call> finish() {
    close_to(0);
    return std::move(calls_);
  }

 private:
  struct Open {
    NodeId node;
    std::size_t call = 0;
  };

  FunctionId function(NodeId node) const { return profile_.nodes[node.row()].function; }
  bool is_open(NodeId node) const {
    const std::uint32_t depth = depths_[node.row()];
    return depth <= open_.size() && open_[depth - 1].node == node;
  }
  void close_to(std::size_t level) {
    for (; open_.size() > level; open_.pop_back()) {
      CallTrack::Call& call = calls_[open_.back().call];
      call.duration = at_ - call.start;
    }
  }

  const Profile& profile_;
  std::vector<std::uint32_t> depths_;  // by node; of a root 1
  std::vector<Open> open_;             // the path of the last position, from the root down
  std::vector<CallTrack::Call> calls_;
  std::int64_t at_ = std::numeric_limits<std::int64_t>::min();
};

}  // namespace

Result<std::vector<CallTrack::Call>> join_stacks(const Profile& profile,
                                                 const ThreadSamples& samples) {
  StackJoiner joiner(profile);
  for (const WeightedPosition& position : samples.positions) {
    // A sample stands for the time before it; late ones are moved on, never cut.
    const std::int64_t start =
        samples.is_in_time ? std::max(joiner.at(), position.time - position.weight) : position.time;
    joiner.add(start, position.weight, position.node);
    if (joiner.size() > kMostCalls) {
      return fail(ErrorCode::kTooLarge,
                  "this profile has more than {} million calls in time; export speedscope instead",
                  kMostCalls / 1'000'000);
    }
  }
  return joiner.finish();
}

}  // namespace pyrometer

#include "profile/estimated_paths.h"

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/strong_components.hpp>
#include <cmath>
#include <queue>

namespace pyrometer {
namespace {

struct Call {
  std::uint32_t callee;
  double share;  // of everything the callee does
};

// A position still to be placed in the tree.
struct Candidate {
  double weight;        // estimated total, to place the heaviest first
  std::uint32_t order;  // makes equal weights deterministic
  std::uint32_t function;
  double share;
  std::int32_t parent;  // index into the placed ones, -1: root
  friend bool operator<(const Candidate& a, const Candidate& b) {
    return a.weight != b.weight ? a.weight < b.weight : a.order > b.order;
  }
};

struct Placed {
  NodeId node;
  std::uint32_t function;
  std::int32_t parent;
};

// By function: the number of the cycle of calls it is part of (functions that reach each
// other share one).
std::vector<std::uint32_t> find_cycles(const FlatCallGraph& graph) {
  boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS> calls(graph.functions.size());
  for (const auto& edge : graph.edges) boost::add_edge(edge.caller, edge.callee, calls);
  std::vector<std::uint32_t> cycle_of(graph.functions.size());
  boost::strong_components(calls, boost::make_iterator_property_map(
                                      cycle_of.begin(), boost::get(boost::vertex_index, calls)));
  return cycle_of;
}

class PathEstimate {
 public:
  explicit PathEstimate(const FlatCallGraph& graph)
      : graph_(graph), calls_(graph.functions.size()), root_share_(graph.functions.size()) {
    const std::vector<std::uint32_t> cycle_of = find_cycles(graph);
    const auto comes_from_outside = [&](const FlatCallGraph::Edge& edge) {
      return cycle_of[edge.caller] != cycle_of[edge.callee];
    };
    // Time on behalf of callers outside the function's own cycle, and of those inside it.
    std::vector<double> outside(graph.functions.size());
    std::vector<double> inside(graph.functions.size());
    for (const auto& edge : graph.edges) {
      if (edge.caller == edge.callee) continue;
      (comes_from_outside(edge) ? outside : inside)[edge.callee] += edge.weight;
    }
    std::vector<double> whole(graph.functions.size());
    std::vector<bool> is_reentry_free(graph.functions.size());
    for (std::size_t f = 0; f < graph.functions.size(); ++f) {
      // Where a cycle is entered, only the entries divide the time: what comes back round the
      // cycle is inside them already.
      const bool has_entry = graph.functions[f].is_entered || outside[f] > 0;
      is_reentry_free[f] = has_entry;
      const auto total = static_cast<double>(graph.functions[f].total);
      const double root = graph.functions[f].is_entered ? std::max(total - outside[f], 1.0) : 0;
      whole[f] = has_entry ? outside[f] + root : inside[f];
      if (whole[f] <= 0) root_share_[f] = 1;  // nobody is known to call it
      if (root > 0) root_share_[f] = root / whole[f];
    }
    for (const auto& edge : graph.edges) {
      const bool counts =
          edge.caller != edge.callee && (comes_from_outside(edge) || !is_reentry_free[edge.callee]);
      if (counts) calls_[edge.caller].push_back({edge.callee, edge.weight / whole[edge.callee]});
    }
  }

  void place(ProfileBuilder& builder, std::size_t most_nodes) {
    for (std::uint32_t f = 0; f < graph_.functions.size(); ++f) {
      if (root_share_[f] > 0) push(f, root_share_[f], -1);
    }
    left_.reserve(graph_.functions.size());
    for (const auto& function : graph_.functions) left_.push_back(function.self);
    first_.assign(graph_.functions.size(), NodeId::none());
    while (!queue_.empty() && placed_.size() < most_nodes) {
      const Candidate next = queue_.top();
      queue_.pop();
      place_one(builder, next);
    }
  }

  // What the paths did not explain: rounding, recursion across functions, the node limit.
  template <class AddValue>
  void place_rest(ProfileBuilder& builder, AddValue add_value) {
    for (const auto& [node, value] : values_) add_value(node, value);
    NodeId unknown = NodeId::none();
    for (std::size_t f = 0; f < left_.size(); ++f) {
      if (left_[f] == 0) continue;
      NodeId node = first_[f];
      if (node.is_none()) {
        if (unknown.is_none()) {
          const FunctionId label = builder.function({.kind = FunctionKind::kLabel,
                                                     .name = "[path unknown]",
                                                     .qualified_name = "[path unknown]"});
          unknown = builder.node(NodeId::none(), label, 0);
        }
        node = builder.node(unknown, graph_.functions[f].id, 0);
      }
      add_value(node, left_[f]);
    }
  }

 private:
  void push(std::uint32_t function, double share, std::int32_t parent) {
    const double weight = share * static_cast<double>(graph_.functions[function].total);
    queue_.push({weight, order_++, function, share, parent});
  }

  bool is_on_path(std::uint32_t function, std::int32_t placed) const {
    for (; placed >= 0; placed = placed_[static_cast<std::size_t>(placed)].parent) {
      if (placed_[static_cast<std::size_t>(placed)].function == function) return true;
    }
    return false;
  }

  void place_one(ProfileBuilder& builder, const Candidate& next) {
    const NodeId parent =
        next.parent < 0 ? NodeId::none() : placed_[static_cast<std::size_t>(next.parent)].node;
    const auto& function = graph_.functions[next.function];
    const NodeId node = builder.node(parent, function.id, 0);
    if (first_[next.function].is_none()) first_[next.function] = node;
    const auto self = std::min<std::int64_t>(
        static_cast<std::int64_t>(std::floor(next.share * static_cast<double>(function.self))),
        left_[next.function]);
    if (self > 0) {
      values_.emplace_back(node, self);
      left_[next.function] -= self;
    }
    placed_.push_back({node, next.function, next.parent});
    const auto self_index = static_cast<std::int32_t>(placed_.size() - 1);
    for (const Call& call : calls_[next.function]) {
      const double share = next.share * call.share;
      // Less than a nanosecond is nothing; this also ends what would go round for ever.
      const bool is_something =
          share * static_cast<double>(graph_.functions[call.callee].total) >= 1;
      if (is_something && !is_on_path(call.callee, self_index))
        push(call.callee, share, self_index);
    }
  }

  const FlatCallGraph& graph_;
  std::vector<std::vector<Call>> calls_;
  std::vector<double> root_share_;  // of each function: entered from outside all edges
  std::priority_queue<Candidate> queue_;
  std::uint32_t order_ = 0;
  std::vector<Placed> placed_;
  std::vector<std::int64_t> left_;  // by function: self time that has no position yet
  std::vector<NodeId> first_;       // by function: its heaviest position
  std::vector<std::pair<NodeId, std::int64_t>> values_;
};

}  // namespace

void add_estimated_paths(ProfileBuilder& builder, ThreadId thread, MetricId metric,
                         const FlatCallGraph& graph, std::size_t most_nodes) {
  PathEstimate estimate(graph);
  estimate.place(builder, most_nodes);
  ValueRows& rows = builder.values(thread);
  estimate.place_rest(builder,
                      [&](NodeId node, std::int64_t value) { rows.row(node)[metric] += value; });
  builder.profile().paths_are_estimated = true;
}

}  // namespace pyrometer

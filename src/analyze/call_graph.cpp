#include "analyze/call_graph.h"

#include <algorithm>
#include <boost/unordered/unordered_flat_map.hpp>

#include "analyze/inclusive.h"
#include "analyze/thread_call_graph.h"
#include "analyze/tree_index.h"
#include "profile/value_rows.h"

namespace pyrometer {
namespace {

std::uint64_t edge_key(FunctionId caller, FunctionId callee) {
  return (std::uint64_t{caller.row()} << 32) | callee.row();
}

class CallGraphMaker {
 public:
  // Without `threads` of all of them.
  CallGraphMaker(const Profile& profile, MetricId metric, const std::vector<bool>* threads)
      : profile_(profile),
        metric_(metric),
        threads_(threads),
        functions_(profile.functions.size()),
        is_listed_(profile.functions.size()) {
    has_flat_.resize(profile.threads.size());
    for (const FlatValue& flat : profile.flat_values) has_flat_[flat.thread.row()] = true;
  }

  void add_flat_values() {
    const auto calls = profile_.find_metric(metric::kCalls);
    const auto primitive_calls = profile_.find_metric(metric::kPrimitiveCalls);
    const auto samples = profile_.find_metric(metric::kSamples);
    const auto stack_samples = profile_.find_metric(metric::kStackSamples);
    for (const FlatValue& flat : profile_.flat_values) {
      if (threads_ != nullptr && !(*threads_)[flat.thread.row()]) continue;
      if (flat.caller.is_none()) is_listed_[flat.callee.row()] = true;
      CallCost& cost = flat.caller.is_none() ? static_cast<CallCost&>(functions_[flat.callee.row()])
                                             : edges_[edge_of(flat.caller, flat.callee)].cost;
      if (flat.metric == metric_) {
        cost.self += flat.self;
        cost.total += flat.total;
      }
      if (flat.metric == calls) cost.calls += flat.self;
      if (flat.metric == primitive_calls) cost.primitive_calls += flat.self;
      if (flat.metric == samples) cost.samples += flat.self;
      if (flat.metric == stack_samples) cost.stack_samples += flat.self;
    }
  }

  void add_tree() {
    const std::vector<std::int64_t> self = tree_values(metric_);
    const std::vector<std::int64_t> total =
        inclusive_values(profile_, self, profile_.metrics[metric_.row()].combine);
    const std::vector<std::int64_t> calls = tree_values(profile_.find_metric(metric::kCalls));
    const std::vector<std::int64_t> samples = tree_values(profile_.find_metric(metric::kSamples));
    const std::vector<std::int64_t> stack_samples =
        inclusive_values(profile_, samples, Combine::kSum);
    std::vector<std::uint32_t> running(profile_.functions.size());
    std::vector<std::uint32_t> path;  // the edges that led to the position, from the root down

    const auto add = [&](CallCost& cost, std::uint32_t row, bool is_outermost) {
      cost.self += self[row];
      cost.samples += samples[row];
      cost.calls += calls[row];
      if (is_outermost) {
        cost.total += total[row];
        cost.primitive_calls += calls[row];
        cost.stack_samples += stack_samples[row];
      }
    };
    const auto caller_of = [&](NodeId node) {
      const NodeId parent = profile_.nodes[node.row()].parent;
      return parent.is_none() ? FunctionId::none() : profile_.nodes[parent.row()].function;
    };
    const auto enter = [&](NodeId node) {
      const FunctionId callee = profile_.nodes[node.row()].function;
      add(functions_[callee.row()], node.row(), running[callee.row()]++ == 0);
      const FunctionId caller = caller_of(node);
      path.push_back(caller.is_none() ? kNoEdge : edge_of(caller, callee));
      if (caller.is_none()) return;
      Edge& edge = edges_[path.back()];
      add(edge.cost, node.row(), edge.running++ == 0);
    };
    const auto leave = [&](NodeId node) {
      --running[profile_.nodes[node.row()].function.row()];
      if (path.back() != kNoEdge) --edges_[path.back()].running;
      path.pop_back();
    };
    TreeIndex(profile_).walk(enter, leave);
  }

  CallGraph finish() {
    const auto is_empty = [](const CallCost& cost) {
      return cost.self == 0 && cost.total == 0 && cost.calls == 0 && cost.stack_samples == 0;
    };
    CallGraph graph;
    for (std::size_t i = 0; i < functions_.size(); ++i) {
      if (is_empty(functions_[i]) && !is_listed_[i]) continue;
      functions_[i].function = FunctionId::from_index(i);
      graph.functions.push_back(functions_[i]);
    }
    for (const auto& [key, number] : edge_numbers_) {
      const CallCost& cost = edges_[number].cost;
      if (is_empty(cost)) continue;
      graph.edges.push_back({{cost},
                             FunctionId(static_cast<std::uint32_t>(key >> 32)),
                             FunctionId(static_cast<std::uint32_t>(key))});
    }
    std::sort(graph.edges.begin(), graph.edges.end(), [](const CallEdge& a, const CallEdge& b) {
      return edge_key(a.caller, a.callee) < edge_key(b.caller, b.callee);
    });
    return graph;
  }

 private:
  struct Edge {
    CallCost cost;
    std::uint32_t running = 0;  // how often it is on the path that is being walked
  };
  static constexpr std::uint32_t kNoEdge = ~0U;

  // Its number, a new one where it is not known yet.
  std::uint32_t edge_of(FunctionId caller, FunctionId callee) {
    const auto [found, is_new] = edge_numbers_.try_emplace(
        edge_key(caller, callee), static_cast<std::uint32_t>(edges_.size()));
    if (is_new) edges_.emplace_back();
    return found->second;
  }

  // By node: the value without the threads that have flat values of their own.
  std::vector<std::int64_t> tree_values(std::optional<MetricId> metric) const {
    if (!metric) return std::vector<std::int64_t>(profile_.nodes.size());
    if (threads_ != nullptr) return values_of_chosen(*metric);
    std::vector<std::int64_t> values = profile_.node_totals[metric->row()];
    for (std::size_t thread = 0; thread < profile_.thread_cells.size(); ++thread) {
      if (!has_flat_[thread]) continue;
      for (const Cell& cell : profile_.thread_cells[thread][metric->row()]) {
        values[cell.node.row()] -= cell.value;
      }
    }
    return values;
  }

  std::vector<std::int64_t> values_of_chosen(MetricId metric) const {
    std::vector<std::int64_t> values(profile_.nodes.size());
    for (std::size_t thread = 0; thread < profile_.thread_cells.size(); ++thread) {
      if (has_flat_[thread] || !(*threads_)[thread]) continue;
      for (const Cell& cell : profile_.thread_cells[thread][metric.row()]) {
        std::int64_t& value = values[cell.node.row()];
        value = combined(profile_.metrics[metric.row()].combine, value, cell.value);
      }
    }
    return values;
  }

  const Profile& profile_;
  MetricId metric_;
  const std::vector<bool>* threads_;
  std::vector<bool> has_flat_;  // by thread
  std::vector<FunctionCost> functions_;
  std::vector<bool> is_listed_;  // by function: a source lists it, if only with zeros
  boost::unordered_flat_map<std::uint64_t, std::uint32_t> edge_numbers_;
  std::vector<Edge> edges_;
};

CallGraph make(const Profile& profile, MetricId metric, const std::vector<bool>* threads) {
  CallGraphMaker maker(profile, metric, threads);
  maker.add_flat_values();
  maker.add_tree();
  return maker.finish();
}

}  // namespace

CallGraph make_call_graph(const Profile& profile, MetricId metric) {
  return make(profile, metric, nullptr);
}

CallGraph make_call_graph(const Profile& profile, MetricId metric,
                          const std::vector<bool>& threads) {
  return make(profile, metric, &threads);
}

}  // namespace pyrometer

#include "analyze/transform_fold_flat.h"

#include <algorithm>
#include <map>
#include <set>

#include "analyze/flat_calls.h"
#include "analyze/transform_nodes.h"
#include "profile/builder.h"
#include "profile/estimated_paths.h"
#include "profile/totals.h"

namespace pyrometer {
namespace {

constexpr std::size_t kMostEstimatedNodes = 50'000;

using ThreadValues = std::map<ThreadId, std::vector<FlatValue>>;

// What paths are estimated from.
FlatCallGraph graph_of(const std::vector<FlatValue>& values, MetricId metric,
                       std::optional<MetricId> calls) {
  FlatCallGraph graph;
  std::map<FunctionId, std::uint32_t> rows;
  std::map<FunctionId, std::int64_t> unexplained;  // calls that no edge has
  for (const FlatValue& flat : values) {
    if (flat.caller.is_none() && flat.metric == metric) {
      rows.emplace(flat.callee, static_cast<std::uint32_t>(graph.functions.size()));
      graph.functions.push_back({flat.callee, std::max<std::int64_t>(0, flat.self),
                                 std::max<std::int64_t>(0, flat.total), false});
    }
    if (flat.metric == calls) {
      unexplained[flat.callee] += flat.caller.is_none() ? flat.self : -flat.self;
    }
  }
  for (auto& function : graph.functions) function.is_entered = unexplained[function.id] > 0;
  std::map<std::pair<FunctionId, FunctionId>, std::pair<double, double>> edges;  // time, calls
  for (const FlatValue& flat : values) {
    if (flat.caller.is_none()) continue;
    auto& [time, count] = edges[{flat.caller, flat.callee}];
    if (flat.metric == metric) time = 1e-9 * static_cast<double>(flat.total);
    if (flat.metric == calls) count = 1e-9 * static_cast<double>(flat.self);
  }
  for (const auto& [edge, weights] : edges) {
    const auto caller = rows.find(edge.first);
    const auto callee = rows.find(edge.second);
    const double weight = weights.first > 0 ? weights.first : weights.second;
    if (caller == rows.end() || callee == rows.end() || weight <= 0) continue;
    graph.edges.push_back({caller->second, callee->second, weight});
  }
  return graph;
}

// Drops positions that nothing below and no metric has a value for.
Profile without_empty_nodes(const Profile& profile) {
  std::vector<NodeFate> fates(profile.nodes.size(), NodeFate::kDrop);
  for (std::size_t i = profile.nodes.size(); i-- > 0;) {
    for (const auto& totals : profile.node_totals) {
      if (totals[i] != 0) fates[i] = NodeFate::kKeep;
    }
    const NodeId parent = profile.nodes[i].parent;
    if (fates[i] == NodeFate::kKeep && !parent.is_none()) fates[parent.row()] = NodeFate::kKeep;
  }
  return transform_nodes(profile, fates);
}

// The same profile with other flat values, and paths estimated from them for their threads.
Profile with_flat_values(const Profile& profile, const ThreadValues& by_thread, MetricId metric) {
  const std::vector<NodeFate> all(profile.nodes.size(), NodeFate::kKeep);
  Profile rest = transform_nodes(profile, all);
  rest.flat_values.clear();
  if (!profile.paths_are_estimated) {
    for (const auto& [thread, values] : by_thread) {
      rest.flat_values.insert(rest.flat_values.end(), values.begin(), values.end());
    }
    return rest;
  }
  for (const auto& [thread, values] : by_thread) {
    rest.thread_cells[thread.row()].assign(rest.metrics.size(), {});
  }
  compute_totals(rest);
  ProfileBuilder builder;
  builder.add_profile(without_empty_nodes(rest));
  const auto calls = profile.find_metric(metric::kCalls);
  const auto counts = calls ? calls : profile.find_metric(metric::kStackSamples);
  for (const auto& [thread, values] : by_thread) {
    for (const FlatValue& value : values) builder.add_flat(value);
    add_estimated_paths(builder, thread, metric, graph_of(values, metric, counts),
                        kMostEstimatedNodes);
  }
  return builder.finish();
}

}  // namespace

Result<std::optional<Folded>> fold_flat_values(const Profile& profile, MetricId metric,
                                               const std::vector<bool>& is_folded) {
  if (std::find(is_folded.begin(), is_folded.end(), true) == is_folded.end()) return std::nullopt;
  ThreadValues by_thread;
  for (const FlatValue& flat : profile.flat_values) by_thread[flat.thread].push_back(flat);
  std::set<FunctionId> functions;
  std::size_t frames = 0;
  for (auto& [thread, values] : by_thread) {
    FlatCalls calls(profile, values, metric);
    for (std::size_t i = 0; i < is_folded.size(); ++i) {
      if (!is_folded[i]) continue;
      PYROMETER_TRY(const bool has_callers, calls.fold(FunctionId::from_index(i)));
      if (!has_callers) continue;
      functions.insert(FunctionId::from_index(i));
      ++frames;
    }
    values = calls.values();
  }
  if (frames == 0) return std::nullopt;
  return Folded{.profile = with_flat_values(profile, by_thread, metric),
                .frames = frames,
                .functions = {functions.begin(), functions.end()},
                .is_estimated = true};
}

}  // namespace pyrometer

#include "analyze/share_graph.h"

#include <fmt/format.h>

#include <limits>
#include <numeric>
#include <tuple>

#include "analyze/graph_order.h"
#include "analyze/names.h"
#include "base/file.h"

namespace pyrometer {
namespace {

double share_of(std::int64_t part, std::int64_t whole) {
  if (whole == 0) return 1;
  return std::clamp(static_cast<double>(part) / static_cast<double>(whole), 0.0, 1.0);
}

std::string graph_name(const Profile& profile, const Function& function) {
  const std::string_view name = display_name(profile, function);
  const std::string_view file = profile.text(function.file);
  const bool has_place =
      function.kind == FunctionKind::kPython || function.kind == FunctionKind::kBuiltin;
  if (!has_place || file.empty()) return std::string(name);
  return fmt::format("{}:{}:{}", Path(file).stem().string(), function.first_line, name);
}

GraphNode make_node(const Profile& profile, const Function& function) {
  GraphNode node;
  node.name = graph_name(profile, function);
  node.function = display_name(profile, function);
  node.file = profile.text(function.file);
  node.short_file = profile.text(function.short_file);
  node.line = function.first_line;
  if (function.kind == FunctionKind::kNative && node.short_file != node.name) {
    node.library = Path(node.short_file).filename().string();
  }
  return node;
}

}  // namespace

ShareGraph make_share_graph(const Profile& profile, MetricId metric, const CallGraph& graph) {
  std::int64_t whole_self = 0;
  for (const FunctionCost& cost : graph.functions) whole_self += cost.self;
  std::int64_t whole = whole_self;
  for (const FunctionCost& cost : graph.functions) whole = std::max(whole, cost.total);

  const auto figures = [&](const CallCost& cost) {
    return GraphFigures{.total_share = share_of(cost.total, whole),
                        .self_share = share_of(cost.self, whole_self),
                        .total = cost.total,
                        .self = cost.self,
                        .calls = cost.calls,
                        .samples = cost.samples};
  };
  const Metric& measured = profile.metrics[metric.row()];
  ShareGraph shares{.metric = measured.name, .unit = measured.unit, .nodes = {}, .edges = {}};
  constexpr std::uint32_t kNoRow = std::numeric_limits<std::uint32_t>::max();
  std::vector<std::uint32_t> rows(profile.functions.size(), kNoRow);
  for (const FunctionCost& cost : graph.functions) {
    rows[cost.function.row()] = static_cast<std::uint32_t>(shares.nodes.size());
    GraphNode& node =
        shares.nodes.emplace_back(make_node(profile, profile.functions[cost.function.row()]));
    node.first = figures(cost);
  }
  for (const CallEdge& cost : graph.edges) {
    GraphEdge edge;
    edge.caller = rows[cost.caller.row()];
    edge.callee = rows[cost.callee.row()];
    if (edge.caller == kNoRow || edge.callee == kNoRow) continue;
    edge.first = figures(cost);
    shares.edges.push_back(edge);
  }
  put_in_order(shares);
  return shares;
}

void put_in_order(ShareGraph& graph) {
  const std::vector<GraphNode>& nodes = graph.nodes;
  std::vector<std::uint32_t> order(nodes.size());
  std::iota(order.begin(), order.end(), 0);
  // Nothing depends on the order in the file, so a run and its merged file are drawn alike.
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    const double share_a = nodes[a].largest_share();
    const double share_b = nodes[b].largest_share();
    if (share_a != share_b) return share_a > share_b;
    return std::tie(nodes[a].name, nodes[a].file, a) < std::tie(nodes[b].name, nodes[b].file, b);
  });
  std::vector<std::uint32_t> rows(nodes.size());
  std::vector<GraphNode> ordered;
  ordered.reserve(nodes.size());
  for (const std::uint32_t row : order) {
    rows[row] = static_cast<std::uint32_t>(ordered.size());
    ordered.push_back(std::move(graph.nodes[row]));
  }
  graph.nodes = std::move(ordered);
  for (GraphNode& node : graph.nodes) {
    node.weight = node.first ? node.first->total_share : node.second->total_share;
  }
  for (GraphEdge& edge : graph.edges) {
    edge.caller = rows[edge.caller];
    edge.callee = rows[edge.callee];
    edge.weight = edge.first ? edge.first->total_share : edge.second->total_share;
  }
  std::sort(graph.edges.begin(), graph.edges.end(), [](const GraphEdge& a, const GraphEdge& b) {
    return std::tie(a.caller, a.callee) < std::tie(b.caller, b.callee);
  });
}

void keep_rows(ShareGraph& graph, const std::vector<bool>& nodes, const std::vector<bool>& edges) {
  std::vector<std::uint32_t> rows(graph.nodes.size());
  std::vector<GraphNode> kept_nodes;
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    if (!nodes[i]) continue;
    rows[i] = static_cast<std::uint32_t>(kept_nodes.size());
    kept_nodes.push_back(std::move(graph.nodes[i]));
  }
  std::vector<GraphEdge> kept_edges;
  for (std::size_t i = 0; i < graph.edges.size(); ++i) {
    GraphEdge edge = graph.edges[i];
    if (!edges[i] || !nodes[edge.caller] || !nodes[edge.callee]) continue;
    edge.caller = rows[edge.caller];
    edge.callee = rows[edge.callee];
    kept_edges.push_back(edge);
  }
  graph.nodes = std::move(kept_nodes);
  graph.edges = std::move(kept_edges);
}

}  // namespace pyrometer

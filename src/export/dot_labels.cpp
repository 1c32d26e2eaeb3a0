#include "export/dot_labels.h"

#include <fmt/format.h>

#include <cmath>

#include "base/printable.h"

namespace pyrometer {
namespace {

constexpr double kPercent = 100;

std::string percentage(double share) { return fmt::format("{:.2f}%", share * kPercent); }

std::string times(std::int64_t count) { return fmt::format("{}×", count); }

// What one label says of one side: a share, or a value in the unit in which people think.
double value_of(NodeLabel label, Unit unit, const GraphFigures& figures) {
  const double scale = unit == Unit::kNanoseconds ? 1e-9 : 1;
  switch (label) {
    case NodeLabel::kTotalPercentage: return figures.total_share;
    case NodeLabel::kSelfPercentage: return figures.self_share;
    case NodeLabel::kTotalTime: return static_cast<double>(figures.total) * scale;
    case NodeLabel::kSelfTime: return static_cast<double>(figures.self) * scale;
  }
  return 0;
}

bool is_share(NodeLabel label) {
  return label == NodeLabel::kTotalPercentage || label == NodeLabel::kSelfPercentage;
}

std::string bracketed(NodeLabel label, std::string text) {
  const bool is_self = label == NodeLabel::kSelfPercentage || label == NodeLabel::kSelfTime;
  return is_self ? "(" + std::move(text) + ")" : text;
}

// As many decimals as the tolerance has.
std::string format_difference(double points, double tolerance) {
  const double decimals = tolerance > 0 ? -std::floor(std::log10(tolerance)) : 3;
  return fmt::format("{:.{}f}%", points, static_cast<int>(std::clamp(decimals, 0.0, 9.0)));
}

GraphFigures or_nothing(const std::optional<GraphFigures>& side) {
  return side.value_or(GraphFigures{});
}

// "12.34%", or in comparisons "12.34% + 1.500%".
std::string figure(NodeLabel label, const ShareGraph& graph, const GraphNode& node,
                   const DotOptions& options) {
  const double first = value_of(label, graph.unit, or_nothing(node.first));
  std::string text =
      bracketed(label, is_share(label) ? percentage(first) : options.time_format(first));
  if (!graph.is_comparison) return text;
  if (label == NodeLabel::kTotalPercentage && change_of(node, options) == Change::kNone) {
    return text;
  }
  const double change = value_of(label, graph.unit, or_nothing(node.second)) - first;
  const bool is_small =
      is_share(label) ? std::abs(change) * kPercent < options.tolerance : change == 0;
  if (is_small) return text;
  const std::string size = is_share(label)
                               ? format_difference(std::abs(change) * kPercent, options.tolerance)
                               : options.time_format(std::abs(change));
  return fmt::format("{} {} {}", text, change > 0 ? '+' : '-', size);
}

// "12×", or in comparisons "12× / 15×"; empty when neither side knows.
std::string counts(const ShareGraph& graph, const GraphSides& sides,
                   std::int64_t GraphFigures::*count) {
  const std::int64_t first = or_nothing(sides.first).*count;
  const std::int64_t second = or_nothing(sides.second).*count;
  if (first == 0 && second == 0) return {};
  return graph.is_comparison ? times(first) + " / " + times(second) : times(first);
}

void add_line(std::string& label, std::string_view line) {
  if (line.empty()) return;
  if (!label.empty()) label += '\n';
  label += line;
}

}  // namespace

double difference(const GraphNode& node, const DotOptions& options) {
  const double change = or_nothing(node.second).total_share - or_nothing(node.first).total_share;
  const double points = std::abs(change) * kPercent;
  const bool is_hidden = (change > 0 && options.only_faster) || (change < 0 && options.only_slower);
  return is_hidden || points < options.tolerance ? 0 : points;
}

Change change_of(const GraphNode& node, const DotOptions& options) {
  if (difference(node, options) == 0) return Change::kNone;
  const bool is_slower = or_nothing(node.second).total_share > or_nothing(node.first).total_share;
  return is_slower ? Change::kSlower : Change::kFaster;
}

std::string node_label(const ShareGraph& graph, const GraphNode& node, const DotOptions& options) {
  std::string name = options.strip ? strip_parameters(node.name) : node.name;
  name = bound_name(printable(name));
  std::string label = printable(node.library);
  add_line(label, options.wrap ? wrap_name(name) : name);
  if (graph.is_comparison && !node.first) add_line(label, "only in the second");
  if (graph.is_comparison && !node.second) add_line(label, "only in the first");
  for (const NodeLabel wanted : options.node_labels) {
    add_line(label, figure(wanted, graph, node, options));
  }
  if (options.show_samples) add_line(label, counts(graph, node, &GraphFigures::samples));
  add_line(label, counts(graph, node, &GraphFigures::calls));
  return label;
}

std::string edge_label(const ShareGraph& graph, const GraphEdge& edge) {
  std::string label = percentage(or_nothing(edge.first).total_share);
  if (graph.is_comparison) label += " / " + percentage(or_nothing(edge.second).total_share);
  add_line(label, counts(graph, edge, &GraphFigures::calls));
  return label;
}

}  // namespace pyrometer

#include "export/dot.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/printable.h"
#include "export/dot_labels.h"

namespace pyrometer {
namespace {

// In DOT's quotes. Backslashes are doubled, so no name can use Graphviz's own \N or \l.
std::string in_quotes(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '\n') {
      result += "\\n";
      continue;
    }
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + '"';
}

// Graphviz puts the text right against the arrow, and a broad one would cover the first digit.
std::string set_apart(std::string_view label) {
  constexpr std::string_view kGap = "  ";
  std::string result(kGap);
  for (const char c : label) {
    result += c;
    if (c == '\n') result += kGap;
  }
  return result;
}

double largest_difference(const ShareGraph& graph, const DotOptions& options) {
  double largest = 0;
  for (const GraphNode& node : graph.nodes) {
    largest = std::max(largest, difference(node, options));
  }
  return largest;
}

class DotWriter {
 public:
  DotWriter(const ShareGraph& graph, const DotOptions& options)
      : graph_(graph), options_(options), largest_difference_(largest_difference(graph, options)) {}

  std::string write() {
    const std::string_view style = options_.theme.is_filled ? "filled" : "solid";
    // Graphviz before 10 gives an unnamed graph the tooltip "%3" in SVG files.
    out_ = "digraph {\n\ttooltip=\" \"\n";
    out_ += "\tgraph [fontname=Arial, nodesep=0.125, ranksep=0.25];\n";
    add("\tnode [fontname=Arial, height=0, shape=box, style={}, width=0];\n", style);
    out_ += "\tedge [fontname=Arial];\n";
    for (std::uint32_t row = 0; row < graph_.nodes.size(); ++row) write_node(row);
    for (const GraphEdge& edge : graph_.edges) write_edge(edge);
    return std::move(out_) + "}\n";
  }

 private:
  template <class... Args>
  void add(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<Args>(args)...);
  }

  bool shows_differences() const { return graph_.is_comparison && options_.color_by_difference; }

  double weight_of(const GraphNode& node) const {
    if (!shows_differences()) return node.weight;
    return largest_difference_ == 0 ? 0 : difference(node, options_) / largest_difference_;
  }

  void write_node(std::uint32_t row) {
    const GraphNode& node = graph_.nodes[row];
    const GraphTheme& theme = options_.theme;
    const double weight = weight_of(node);
    add("\t{} [color=\"{}\", fontcolor=\"{}\", fontsize=\"{:.2f}\", label={}", row,
        theme.color(weight).to_string(), theme.text_color(weight).to_string(),
        theme.font_size(weight), in_quotes(node_label(graph_, node, options_)));
    if (graph_.is_comparison) {
      // A broad arrow: to the right for slower, upwards for faster.
      const Change change = change_of(node, options_);
      if (change != Change::kNone) out_ += ", shape=cds";
      if (change == Change::kFaster) out_ += ", orientation=90";
    }
    if (!node.file.empty()) add(", tooltip={}", in_quotes(bound_name(printable(node.file))));
    out_ += "];\n";
  }

  void write_edge(const GraphEdge& edge) {
    const GraphTheme& theme = options_.theme;
    const double weight = shows_differences() ? 0 : edge.weight;
    add("\t{} -> {} [arrowsize=\"{:.2f}\", color=\"{}\", fontcolor=\"{}\", fontsize=\"{:.2f}\", "
        "label={}, labeldistance=\"{:.2f}\", penwidth=\"{:.2f}\"",
        edge.caller, edge.callee, theme.arrow_size(weight), theme.edge_color(weight).to_string(),
        theme.edge_text_color(weight).to_string(), theme.font_size(weight),
        in_quotes(set_apart(edge_label(graph_, edge))), theme.pen_width(weight),
        theme.pen_width(weight));
    const bool is_in_one = !edge.first || !edge.second;
    if (graph_.is_comparison && is_in_one) out_ += ", style=dashed";
    out_ += "];\n";
  }

  const ShareGraph& graph_;
  const DotOptions& options_;
  double largest_difference_;
  std::string out_;
};

}  // namespace

std::string write_dot(const ShareGraph& graph, const DotOptions& options) {
  return DotWriter(graph, options).write();
}

}  // namespace pyrometer

// A call graph in Graphviz's language DOT, drawn as gprof2dot draws it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "analyze/share_graph.h"
#include "export/graph_text.h"
#include "export/graph_theme.h"

namespace pyrometer {

enum class NodeLabel { kTotalPercentage, kSelfPercentage, kTotalTime, kSelfTime };

struct DotOptions {
  GraphTheme theme = graph_themes().front();
  std::vector<NodeLabel> node_labels = {NodeLabel::kTotalPercentage, NodeLabel::kSelfPercentage};
  TimeFormat time_format;
  bool strip = false;
  bool wrap = false;
  bool show_samples = false;
  // Of comparisons:
  double tolerance = 0.001;  // differences below so many percentage points are none
  bool only_slower = false;  // mark only functions that are slower in the second profile
  bool only_faster = false;
  bool color_by_difference = false;
};

std::string write_dot(const ShareGraph& graph, const DotOptions& options);

}  // namespace pyrometer

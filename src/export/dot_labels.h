// The lines of text in boxes and on arrows.
#pragma once

#include <string>

#include "export/dot.h"

namespace pyrometer {

// What became of a function's total share, for the shape of its box.
enum class Change { kNone, kSlower, kFaster };

// In percentage points, without a sign; 0 in plain graphs, below the tolerance and where the user
// does not want to see it.
double difference(const GraphNode& node, const DotOptions& options);
Change change_of(const GraphNode& node, const DotOptions& options);

// Lines, separated by '\n'.
std::string node_label(const ShareGraph& graph, const GraphNode& node, const DotOptions& options);
std::string edge_label(const ShareGraph& graph, const GraphEdge& edge);

}  // namespace pyrometer

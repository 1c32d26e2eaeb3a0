// `pyrometer graph --json`: the graph that would be drawn; docs/graph.schema.json describes it.
#pragma once

#include <string>

#include "analyze/prune_graph.h"

namespace pyrometer {

std::string graph_json(const ShareGraph& graph, const PrunedNodes& pruned);

}  // namespace pyrometer

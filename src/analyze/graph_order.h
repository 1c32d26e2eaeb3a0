// The order in which a graph's rows stand, for those who make graphs.
#pragma once

#include "analyze/share_graph.h"

namespace pyrometer {

// Sorts nodes and edges as ShareGraph promises, and sets the weights of both from their shares.
void put_in_order(ShareGraph& graph);

}  // namespace pyrometer

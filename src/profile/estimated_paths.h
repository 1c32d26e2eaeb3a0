// Call paths for a source that has only call edges (a cProfile file). A callee's time is
// divided among its callers as the edges say, and each share is assumed to continue in
// the same proportions: the usual estimate, exact where every function has one caller.
#pragma once

#include <cstdint>
#include <vector>

#include "profile/builder.h"

namespace pyrometer {

struct FlatCallGraph {
  struct Edge {
    std::uint32_t caller = 0;
    std::uint32_t callee = 0;
    double weight = 0;  // the callee's time, or calls, on behalf of this caller
  };
  struct Function {
    FunctionId id;
    std::int64_t self = 0;
    std::int64_t total = 0;
    bool is_entered = false;  // has calls that no edge explains: the program or a thread began here
  };
  std::vector<Function> functions;
  std::vector<Edge> edges;  // indexes into functions
};

// Adds at most `most_nodes` positions for `thread`. The self values of a function's
// positions add up to its self value exactly; what no path explains stands under
// "[path unknown]".
void add_estimated_paths(ProfileBuilder& builder, ThreadId thread, MetricId metric,
                         const FlatCallGraph& graph, std::size_t most_nodes);

}  // namespace pyrometer

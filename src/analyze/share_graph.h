// The call graph as a picture shows it: every function and every arrow with its share of the whole.
// A comparison holds the figures of two profiles side by side.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analyze/call_graph.h"

namespace pyrometer {

struct GraphFigures {
  double total_share = 0;  // 0 to 1, as all shares
  double self_share = 0;
  std::int64_t total = 0;
  std::int64_t self = 0;
  std::int64_t calls = 0;    // 0: unknown
  std::int64_t samples = 0;  // that saw it running itself; 0: not sampled
};

// What two profiles say of the same thing; `second` only in comparisons.
struct GraphSides {
  std::optional<GraphFigures> first, second;
  double weight = 0;  // what colour and width show, 0 to 1

  double largest_share() const {
    return std::max(first ? first->total_share : 0, second ? second->total_share : 0);
  }
};

struct GraphNode : GraphSides {
  std::string name;        // "wave:45:element", by which --root and --leaf find it
  std::string function;    // "element"
  std::string library;     // of native code, else empty
  std::string file;        // as the program knew it
  std::string short_file;  // equal on every machine
  std::uint32_t line = 0;
};

struct GraphEdge : GraphSides {
  std::uint32_t caller = 0;  // rows of nodes
  std::uint32_t callee = 0;
};

struct ShareGraph {
  std::string metric;
  Unit unit = Unit::kNanoseconds;
  bool is_comparison = false;
  std::vector<GraphNode> nodes;  // the largest share first
  std::vector<GraphEdge> edges;  // by caller, then callee
};

// Shares are of gprof2dot's making: self values of their sum, totals of that or of the largest
// total if that is more (coroutines and threads can make it so), and of nothing at all the whole.
ShareGraph make_share_graph(const Profile& profile, MetricId metric, const CallGraph& graph);

// Functions of both graphs are the same when file and name are, whether or not their line or the
// folder above has changed meanwhile.
ShareGraph compare_graphs(const ShareGraph& first, const ShareGraph& second);

// Keeps the nodes and edges for which `keep` says so, and no edge without its ends.
void keep_rows(ShareGraph& graph, const std::vector<bool>& nodes, const std::vector<bool>& edges);

}  // namespace pyrometer

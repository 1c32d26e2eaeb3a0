// What is left out of a picture of the call graph, so that it can be read: gprof2dot's rules, and a
// limit of the number of boxes.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "analyze/share_graph.h"
#include "base/result.h"

namespace pyrometer {

struct GraphPruning {
  double least_node_share = 0.005;
  double least_edge_share = 0.001;
  std::vector<std::string> paths;    // only functions of files that begin so; empty: all
  std::string root;                  // wildcards; only these and what they call; empty: all
  std::string leaf;                  // only these and what calls them
  std::optional<std::size_t> depth;  // calls away from root or leaf, else from the entry points
  bool weigh_by_self = false;        // weights of nodes become shares of the largest self value
  std::size_t most_nodes = 0;        // the heaviest; 0: all
};

// How many functions went, and why.
struct PrunedNodes {
  std::size_t too_light = 0;
  std::size_t elsewhere = 0;  // not in the wanted files
  std::size_t unrelated = 0;  // to root and leaf, or too far away
  std::size_t too_many = 0;   // beyond most_nodes

  std::size_t all() const { return too_light + elsewhere + unrelated + too_many; }
};

// Shares stay what they are: of the whole program. The error says that nothing matches root or
// leaf.
Result<PrunedNodes> prune_graph(ShareGraph& graph, const GraphPruning& pruning);

// The nodes whose name matches; if there are none, those whose function matches.
std::vector<std::uint32_t> find_nodes(const ShareGraph& graph, const std::string& pattern);

}  // namespace pyrometer

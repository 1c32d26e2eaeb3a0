#include "analyze/prune_graph.h"

#include "base/wildcards.h"

namespace pyrometer {
namespace {

using Rows = std::vector<std::uint32_t>;

std::vector<bool> all_edges(const ShareGraph& graph) {
  std::vector<bool> all(graph.edges.size(), true);
  return all;
}

template <class Keep>
std::size_t keep_nodes(ShareGraph& graph, Keep keep) {
  const std::size_t before = graph.nodes.size();
  std::vector<bool> kept(before);
  for (std::size_t i = 0; i < before; ++i) kept[i] = keep(i);
  keep_rows(graph, kept, all_edges(graph));
  return before - graph.nodes.size();
}

bool is_in_paths(const GraphNode& node, const std::vector<std::string>& paths) {
  if (paths.empty() || node.file.empty()) return true;
  return std::any_of(paths.begin(), paths.end(), [&](const std::string& path) {
    return node.file.starts_with(path) || node.short_file.starts_with(path);
  });
}

void drop_light_edges(ShareGraph& graph, double least) {
  std::vector<bool> kept(graph.edges.size());
  for (std::size_t i = 0; i < kept.size(); ++i) {
    kept[i] = graph.edges[i].largest_share() >= least;
  }
  keep_rows(graph, std::vector<bool>(graph.nodes.size(), true), kept);
}

double self_share(const GraphNode& node) {
  return node.first ? node.first->self_share : node.second->self_share;
}

void weigh_by_self(ShareGraph& graph) {
  double largest = 0;
  for (const GraphNode& node : graph.nodes) largest = std::max(largest, self_share(node));
  for (GraphNode& node : graph.nodes) node.weight = largest == 0 ? 0 : self_share(node) / largest;
}

enum class Direction { kToCallees, kToCallers };

// Whom each node calls, or who calls it.
std::vector<Rows> neighbours(const ShareGraph& graph, Direction direction) {
  std::vector<Rows> found(graph.nodes.size());
  for (const GraphEdge& edge : graph.edges) {
    if (direction == Direction::kToCallees) {
      found[edge.caller].push_back(edge.callee);
    } else {
      found[edge.callee].push_back(edge.caller);
    }
  }
  return found;
}

// By node: whether it is at most `depth` steps from one of the starts. Ring by ring, so that
// each node is reached by its shortest way.
std::vector<bool> reachable(const ShareGraph& graph, Rows starts, Direction direction,
                            std::optional<std::size_t> depth) {
  const std::vector<Rows> next_of = neighbours(graph, direction);
  std::vector<bool> is_reached(graph.nodes.size());
  for (const std::uint32_t row : starts) is_reached[row] = true;
  Rows ring = std::move(starts);
  for (std::size_t step = 0; !ring.empty() && (!depth || step < *depth); ++step) {
    Rows next;
    for (const std::uint32_t row : ring) {
      for (const std::uint32_t neighbour : next_of[row]) {
        if (!is_reached[neighbour]) next.push_back(neighbour);
        is_reached[neighbour] = true;
      }
    }
    ring = std::move(next);
  }
  return is_reached;
}

// Called by nobody but themselves. Where all call each other, the heaviest is where it began.
Rows entry_points(const ShareGraph& graph) {
  std::vector<bool> is_called(graph.nodes.size());
  for (const GraphEdge& edge : graph.edges) {
    if (edge.caller != edge.callee) is_called[edge.callee] = true;
  }
  Rows entries;
  for (std::uint32_t row = 0; row < graph.nodes.size(); ++row) {
    if (!is_called[row]) entries.push_back(row);
  }
  if (entries.empty() && !graph.nodes.empty()) entries.push_back(0);
  return entries;
}

Result<Rows> find_named(const ShareGraph& graph, const std::string& pattern) {
  Rows rows = find_nodes(graph, pattern);
  if (!rows.empty()) return rows;
  return fail(ErrorCode::kNotFound,
              "no function in the graph is called '{}'; --list-functions '*' lists them, and with "
              "-n 0 -e 0 those that were too light as well",
              pattern);
}

Result<void> keep_relatives(ShareGraph& graph, const GraphPruning& pruning) {
  const auto keep = [&](Rows starts, Direction direction) {
    const auto kept = reachable(graph, std::move(starts), direction, pruning.depth);
    keep_rows(graph, kept, all_edges(graph));
  };
  if (!pruning.root.empty()) {
    PYROMETER_TRY(Rows roots, find_named(graph, pruning.root));
    keep(std::move(roots), Direction::kToCallees);
  }
  if (!pruning.leaf.empty()) {
    PYROMETER_TRY(Rows leaves, find_named(graph, pruning.leaf));
    keep(std::move(leaves), Direction::kToCallers);
  }
  if (pruning.root.empty() && pruning.leaf.empty() && pruning.depth) {
    keep(entry_points(graph), Direction::kToCallees);
  }
  return {};
}

}  // namespace

std::vector<std::uint32_t> find_nodes(const ShareGraph& graph, const std::string& pattern) {
  for (const auto name : {&GraphNode::name, &GraphNode::function}) {
    std::vector<std::uint32_t> rows;
    for (std::uint32_t row = 0; row < graph.nodes.size(); ++row) {
      if (matches_wildcards(pattern, graph.nodes[row].*name)) rows.push_back(row);
    }
    if (!rows.empty()) return rows;
  }
  return {};
}

Result<PrunedNodes> prune_graph(ShareGraph& graph, const GraphPruning& pruning) {
  PrunedNodes pruned;
  pruned.too_light = keep_nodes(graph, [&](std::size_t row) {
    return graph.nodes[row].largest_share() >= pruning.least_node_share;
  });
  pruned.elsewhere = keep_nodes(
      graph, [&](std::size_t row) { return is_in_paths(graph.nodes[row], pruning.paths); });
  drop_light_edges(graph, pruning.least_edge_share);
  if (pruning.weigh_by_self) weigh_by_self(graph);
  const std::size_t before = graph.nodes.size();
  PYROMETER_TRY_VOID(keep_relatives(graph, pruning));
  pruned.unrelated = before - graph.nodes.size();
  if (pruning.most_nodes != 0) {
    pruned.too_many = keep_nodes(graph, [&](std::size_t row) { return row < pruning.most_nodes; });
  }
  return pruned;
}

}  // namespace pyrometer

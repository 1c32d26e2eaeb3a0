#include <functional>
#include <limits>
#include <map>
#include <tuple>

#include "analyze/graph_order.h"
#include "base/file.h"

namespace pyrometer {
namespace {

constexpr std::uint32_t kNoRow = std::numeric_limits<std::uint32_t>::max();

using Key = std::tuple<std::string, std::string, std::uint32_t>;

Key place_and_line(const GraphNode& node) { return {node.short_file, node.function, node.line}; }
Key place(const GraphNode& node) { return {node.short_file, node.function, 0}; }
Key file_name_and_line(const GraphNode& node) {
  return {Path(node.short_file).filename().string(), node.function, node.line};
}
Key file_name(const GraphNode& node) {
  return {Path(node.short_file).filename().string(), node.function, 0};
}

// From the surest to the boldest: edited files move their lines, a second checkout its folder.
constexpr Key (*kKeys[])(const GraphNode&) = {place_and_line, place, file_name_and_line, file_name};

// By node of `second`: the row in `first`, or none. Equal keys are paired in the order of lines.
std::vector<std::uint32_t> pair_nodes(const ShareGraph& first, const ShareGraph& second) {
  std::vector<std::uint32_t> partners(second.nodes.size(), kNoRow);
  std::vector<bool> is_taken(first.nodes.size());
  for (const auto key_of : kKeys) {
    std::map<Key, std::multimap<std::uint32_t, std::uint32_t>> free;  // rows by line
    for (std::uint32_t row = 0; row < first.nodes.size(); ++row) {
      const GraphNode& node = first.nodes[row];
      if (!is_taken[row]) free[key_of(node)].emplace(node.line, row);
    }
    std::map<Key, std::multimap<std::uint32_t, std::uint32_t>> seekers;
    for (std::uint32_t row = 0; row < second.nodes.size(); ++row) {
      const GraphNode& node = second.nodes[row];
      if (partners[row] == kNoRow) seekers[key_of(node)].emplace(node.line, row);
    }
    for (auto& [key, rows] : seekers) {
      const auto found = free.find(key);
      if (found == free.end()) continue;
      auto candidate = found->second.begin();
      for (auto seeker = rows.begin(); seeker != rows.end() && candidate != found->second.end();
           ++seeker, ++candidate) {
        partners[seeker->second] = candidate->second;
        is_taken[candidate->second] = true;
      }
    }
  }
  return partners;
}

}  // namespace

ShareGraph compare_graphs(const ShareGraph& first, const ShareGraph& second) {
  ShareGraph both = first;
  both.is_comparison = true;
  std::vector<std::uint32_t> rows = pair_nodes(first, second);
  for (std::size_t i = 0; i < second.nodes.size(); ++i) {
    if (rows[i] == kNoRow) {
      rows[i] = static_cast<std::uint32_t>(both.nodes.size());
      both.nodes.push_back(second.nodes[i]);
      both.nodes.back().first.reset();
    }
    both.nodes[rows[i]].second = second.nodes[i].first;
  }
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> edges;
  for (std::size_t i = 0; i < both.edges.size(); ++i) {
    edges[{both.edges[i].caller, both.edges[i].callee}] = i;
  }
  for (GraphEdge edge : second.edges) {
    edge.caller = rows[edge.caller];
    edge.callee = rows[edge.callee];
    edge.second = std::exchange(edge.first, std::nullopt);
    const auto known = edges.find({edge.caller, edge.callee});
    if (known == edges.end()) {
      both.edges.push_back(edge);
    } else {
      both.edges[known->second].second = edge.second;
    }
  }
  put_in_order(both);
  return both;
}

}  // namespace pyrometer

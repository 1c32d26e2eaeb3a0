#include "analyze/region_paths.h"

#include <fmt/format.h>

#include <algorithm>

#include "profile/tables.h"

namespace pyrometer {

RegionPaths::RegionPaths(const Profile& profile) {
  builder_.profile() = all_but_positions(profile);
  builder_.profile().nodes = profile.nodes;
}

NodeId RegionPaths::inside(NodeId node, std::uint32_t chain) {
  if (chain == 0) return node;
  const std::uint64_t key = (std::uint64_t{chain} << 32) | node.row();
  if (const auto known = known_.find(key); known != known_.end()) return known->second;
  const NodeId made = make(node, chains_[chain]);
  known_.emplace(key, made);
  return made;
}

NodeId RegionPaths::make(NodeId node, std::span<const RegionFrame> chain) {
  const std::vector<NodeId> path = path_to(node);
  const std::vector<std::size_t> places = find_places(path, chain);
  NodeId made = NodeId::none();
  bool is_inside = false;
  for (std::size_t i = 0; i < path.size(); ++i) {
    const Node frame = builder_.profile().nodes[path[i].row()];
    made = is_inside ? builder_.node(made, frame.function, frame.line) : path[i];
    for (std::size_t region = 0; region < chain.size(); ++region) {
      if (places[region] != i) continue;
      made = builder_.node(made, function_of(chain[region].name), 0);
      is_inside = true;
    }
  }
  return made;
}

// The outermost first.
std::vector<NodeId> RegionPaths::path_to(NodeId node) {
  std::vector<NodeId> path;
  for (; !node.is_none(); node = builder_.profile().nodes[node.row()].parent) path.push_back(node);
  std::reverse(path.begin(), path.end());
  return path;
}

// Of each region the frame that began it; beyond the path where that is not there. Of a function
// that calls itself the first, and the next one for a region that is inside itself.
std::vector<std::size_t> RegionPaths::find_places(const std::vector<NodeId>& path,
                                                  std::span<const RegionFrame> chain) {
  std::vector<std::size_t> places;
  std::size_t from = 0;
  const RegionFrame* above = nullptr;
  for (const RegionFrame& region : chain) {
    const bool is_recursion = above != nullptr && *above == region;
    const std::size_t first = std::min(path.size(), from + (is_recursion ? 1 : 0));
    const auto found = std::find_if(
        path.begin() + static_cast<std::ptrdiff_t>(first), path.end(), [&](NodeId node) {
          return builder_.profile().nodes[node.row()].function == region.opener;
        });
    places.push_back(static_cast<std::size_t>(found - path.begin()));
    if (found == path.end()) continue;
    from = places.back();
    above = &region;
  }
  return places;
}

FunctionId RegionPaths::function_of(StringId name) {
  const auto [found, is_new] = functions_.try_emplace(name.row(), FunctionId::none());
  if (is_new) {
    const std::string text = fmt::format("[{}]", builder_.profile().text(name));
    found->second =
        builder_.function({.kind = FunctionKind::kRegion, .name = text, .qualified_name = text});
  }
  return found->second;
}

}  // namespace pyrometer

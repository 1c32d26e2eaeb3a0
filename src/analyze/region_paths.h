// Call paths of a profile and, behind them, the same paths inside regions.
#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <span>
#include <vector>

#include "analyze/open_regions.h"
#include "profile/builder.h"

namespace pyrometer {

class RegionPaths {
 public:
  // Positions keep their rows.
  explicit RegionPaths(const Profile& profile);

  RegionChains& chains() { return chains_; }

  // The same position inside the regions of a chain, as far as their openers are on its path.
  NodeId inside(NodeId node, std::uint32_t chain);

  // All tables, with the positions that were asked for; without values.
  Profile take() { return std::move(builder_.profile()); }

 private:
  NodeId make(NodeId node, std::span<const RegionFrame> chain);
  std::vector<NodeId> path_to(NodeId node);
  std::vector<std::size_t> find_places(const std::vector<NodeId>& path,
                                       std::span<const RegionFrame> chain);
  FunctionId function_of(StringId name);

  ProfileBuilder builder_;
  RegionChains chains_;
  boost::unordered_flat_map<std::uint64_t, NodeId> known_;  // by chain and node
  boost::unordered_flat_map<std::uint32_t, FunctionId> functions_;
};

}  // namespace pyrometer

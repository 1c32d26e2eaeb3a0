#include "merge/canonical_order.h"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace pyrometer {
namespace {

// Rows sorted by key(row); keys are taken once, as comparing through tables costs more.
template <class Key>
std::vector<std::uint32_t> sorted_rows(std::size_t count, Key key) {
  std::vector<std::pair<decltype(key(0U)), std::uint32_t>> keyed;
  keyed.reserve(count);
  for (std::uint32_t row = 0; row < count; ++row) keyed.emplace_back(key(row), row);
  if (!std::is_sorted(keyed.begin(), keyed.end())) std::sort(keyed.begin(), keyed.end());
  std::vector<std::uint32_t> rows(count);
  std::transform(keyed.begin(), keyed.end(), rows.begin(),
                 [](const auto& each) { return each.second; });
  return rows;
}

std::vector<std::uint32_t> depths(const std::vector<Node>& nodes) {
  std::vector<std::uint32_t> depth(nodes.size());
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (!nodes[i].parent.is_none()) depth[i] = depth[nodes[i].parent.row()] + 1;
  }
  return depth;
}

}  // namespace

CanonicalOrder canonical_order(const MergedTables& tables) {
  const Profile& profile = tables.profile;
  const auto& functions = profile.functions;
  const std::vector<std::uint32_t> depth = depths(profile.nodes);
  const auto id_of = [&](FunctionId function) {
    return function.is_none() ? ContentId{} : functions[function.row()].id;
  };
  return {
      .functions = sorted_rows(functions.size(), [&](auto row) { return functions[row].id; }),
      .nodes = sorted_rows(profile.nodes.size(),
                           [&](auto row) { return std::pair(depth[row], profile.nodes[row].id); }),
      .lines = sorted_rows(tables.lines.size(),
                           [&](auto row) {
                             const LineItem& line = tables.lines[row];
                             return std::pair(id_of(line.function), line.line);
                           }),
      .edges = sorted_rows(tables.edges.size(),
                           [&](auto row) {
                             const EdgeItem& edge = tables.edges[row];
                             // A function's own values come before those of its callers.
                             return std::tuple(id_of(edge.callee), !edge.caller.is_none(),
                                               id_of(edge.caller));
                           }),
  };
}

std::vector<std::uint32_t> places_in(const std::vector<std::uint32_t>& order) {
  std::vector<std::uint32_t> places(order.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) places[order[i]] = i;
  return places;
}

}  // namespace pyrometer

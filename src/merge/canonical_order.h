// The order that rows have in a merged file, whatever the order of the inputs: functions by
// content id, nodes by depth and content id (so that parents come first), lines and edges by
// their functions' content ids. A row's place among others depends on nothing but these, so
// a subset of the rows is in the same order as all of them.
#pragma once

#include <cstdint>
#include <vector>

#include "store/merged_tables.h"

namespace pyrometer {

// Rows in the order they should have.
struct CanonicalOrder {
  std::vector<std::uint32_t> functions, nodes, lines, edges;
};

CanonicalOrder canonical_order(const MergedTables& tables);

// Where each row stands in an order.
std::vector<std::uint32_t> places_in(const std::vector<std::uint32_t>& order);

}  // namespace pyrometer

// The figures of functions and of call edges as columns.
#pragma once

#include <vector>

#include "analyze/call_graph.h"
#include "serve/columns.h"

namespace pyrometer {

// One member of every row.
template <class Row>
std::vector<double> figures(const std::vector<Row>& rows, std::int64_t CallCost::*member) {
  std::vector<double> column;
  column.reserve(rows.size());
  for (const Row& row : rows) column.push_back(static_cast<double>(row.*member));
  return column;
}

template <class Row>
void add_costs(ColumnsWriter& out, const std::vector<Row>& rows) {
  out.add("self", std::span<const double>(figures(rows, &CallCost::self)));
  out.add("total", std::span<const double>(figures(rows, &CallCost::total)));
  out.add("calls", std::span<const double>(figures(rows, &CallCost::calls)));
  out.add("primitive", std::span<const double>(figures(rows, &CallCost::primitive_calls)));
}

}  // namespace pyrometer

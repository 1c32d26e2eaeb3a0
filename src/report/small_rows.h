// Which rows are too small to be shown.
#pragma once

#include <vector>

#include "report/report.h"

namespace pyrometer {

// Leaves out rows whose value is below the share that the user set.
template <class Row, class Value>
void drop_small_rows(std::vector<Row>& rows, const Overview& overview, const ReportOptions& options,
                     Value value) {
  if (options.least_row_share <= 0) return;
  std::erase_if(
      rows, [&](const Row& row) { return overview.share(value(row)) < options.least_row_share; });
}

// Functions and lines: by their totals.
template <class Row>
void drop_small_rows(std::vector<Row>& rows, const Overview& overview,
                     const ReportOptions& options) {
  drop_small_rows(rows, overview, options, [](const Row& row) { return row.total; });
}

}  // namespace pyrometer

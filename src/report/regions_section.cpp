// Named timers of the program: the table that PyOP2's summary() is, over all processes.
#include "analyze/region_table.h"
#include "base/format_value.h"
#include "report/sections.h"

namespace pyrometer {

std::string regions_section(const Overview& overview, const ReportOptions& options,
                            const Style& style) {
  std::vector<RegionCost> rows = make_region_table(overview.profile);
  const std::size_t all = rows.size();
  limit_rows(rows, options.selection);
  if (all == 0) return "There are no regions; pyrometer.timed_region(\"name\") makes them.\n";
  const auto time = [](std::int64_t value) { return format_value(Unit::kNanoseconds, value); };
  const bool are_several = overview.profile.processes.size() > 1;
  std::vector<TextTable::Column> columns{{"count"}, {"total"}, {"self"},
                                         {"mean"},  {"min"},   {"max"}};
  if (are_several) {
    columns.insert(columns.end(), {{"processes"}, {"least"}, {"mean"}, {"most"}});
  }
  columns.push_back({"region", TextTable::Align::kLeft});
  TextTable table(std::move(columns));
  for (const RegionCost& row : rows) {
    std::vector<std::string> cells{format_count(row.count), time(row.total),    time(row.self),
                                   time(row.mean()),        time(row.shortest), time(row.longest)};
    if (are_several) {
      cells.insert(cells.end(), {format_count(static_cast<std::int64_t>(row.processes)),
                                 time(row.least), time(row.mean_of_process()), time(row.most)});
    }
    cells.push_back(row.name);
    table.add_row(std::move(cells));
  }
  return table.render(style) + more_rows(all, rows.size(), style);
}

}  // namespace pyrometer

#include "base/format_value.h"
#include "report/loop_groups.h"
#include "report/sections.h"
#include "report/small_rows.h"

namespace pyrometer {

std::string loops_section(const Overview& overview, const ReportOptions& options,
                          const Style& style) {
  const Profile& profile = overview.profile;
  const Unit unit = profile.metrics[overview.metric.row()].unit;
  SourceLines sources(profile);
  const LoopGroups loops = group_loops(profile, options.selection, sources);
  std::vector<GroupCost> rows =
      make_group_table(profile, overview.metric, loops.positions, loop_order(options.selection));
  drop_small_rows(rows, overview, options);
  const std::size_t all = rows.size();
  limit_rows(rows, options.selection);
  TextTable table({{"total"},
                   {"%"},
                   {"self"},
                   {"%"},
                   {"loop", TextTable::Align::kLeft},
                   {"source", TextTable::Align::kLeft}});
  for (const GroupCost& cost : rows) {
    const LoopPlace& place = loops.places[cost.group];
    table.add_row({format_value(unit, cost.total), format_percent(overview.share(cost.total)),
                   format_value(unit, cost.self), format_percent(overview.share(cost.self)),
                   loops.positions.groups[cost.group].name, sources.line(place.file, place.first)});
  }
  if (table.empty()) {
    return "No loops: none took time, or their source cannot be read here, or the profile has no "
           "lines; record with 'pyrometer run' to see lines.\n";
  }
  return table.render(style) + more_rows(all, rows.size(), style);
}

}  // namespace pyrometer

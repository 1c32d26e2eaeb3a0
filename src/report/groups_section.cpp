// Modules, packages, libraries, files or kinds of code: one table for each grouping.
#include "base/format_value.h"
#include "report/sections.h"
#include "report/small_rows.h"

namespace pyrometer {
namespace {

std::string one_grouping(const Overview& overview, const ReportOptions& options, const Style& style,
                         GroupBy by) {
  const Profile& profile = overview.profile;
  const Unit unit = profile.metrics[overview.metric.row()].unit;
  const PositionGroups groups = group_functions(profile, by, options.selection);
  std::vector<GroupCost> rows =
      make_group_table(profile, overview.metric, groups, options.selection);
  drop_small_rows(rows, overview, options);
  const std::size_t all = rows.size();
  limit_rows(rows, options.selection);
  TextTable table({{"self"},
                   {"%"},
                   {"total"},
                   {"%"},
                   {"functions"},
                   {std::string(name_of(by)), TextTable::Align::kLeft}});
  for (const GroupCost& cost : rows) {
    table.add_row({format_value(unit, cost.self), format_percent(overview.share(cost.self)),
                   format_value(unit, cost.total), format_percent(overview.share(cost.total)),
                   format_count(static_cast<std::int64_t>(cost.functions)),
                   groups.groups[cost.group].name});
  }
  if (table.empty()) return "No function matches.\n";
  return table.render(style) + more_rows(all, rows.size(), style);
}

}  // namespace

std::string groups_section(const Overview& overview, const ReportOptions& options,
                           const Style& style) {
  std::string out;
  for (const GroupBy by : options.group_by) {
    out += (out.empty() ? "" : "\n") + one_grouping(overview, options, style, by);
  }
  return out;
}

}  // namespace pyrometer

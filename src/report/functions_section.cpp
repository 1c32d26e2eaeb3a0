#include "analyze/names.h"
#include "base/format_value.h"
#include "report/sections.h"
#include "report/small_rows.h"

namespace pyrometer {
namespace {

// "120" or, with recursion, "120/1" as pstats writes it: all calls / primitive calls.
std::string format_calls(const CallCost& cost) {
  if (cost.calls == cost.primitive_calls) return format_count(cost.calls);
  return format_count(cost.calls) + "/" + format_count(cost.primitive_calls);
}

}  // namespace

std::string functions_section(const Overview& overview, const ReportOptions& options,
                              const Style& style) {
  const Profile& profile = overview.profile;
  const Unit unit = profile.metrics[overview.metric.row()].unit;
  std::vector<FunctionCost> functions = select_functions(overview, options.selection);
  drop_small_rows(functions, overview, options);
  const std::size_t all = functions.size();
  limit_rows(functions, options.selection);
  bool has_calls = false;
  for (const FunctionCost& cost : functions) has_calls |= cost.calls != 0;

  std::vector<TextTable::Column> columns{{"self"}, {"%"}, {"total"}, {"%"}};
  if (has_calls) columns.push_back({"calls"});
  columns.push_back({"function", TextTable::Align::kLeft});
  columns.push_back({"where", TextTable::Align::kLeft});
  TextTable table(std::move(columns));
  for (const FunctionCost& cost : functions) {
    const Function& function = profile.functions[cost.function.row()];
    std::vector<std::string> row{
        format_value(unit, cost.self), format_percent(overview.share(cost.self)),
        format_value(unit, cost.total), format_percent(overview.share(cost.total))};
    if (has_calls) row.push_back(format_calls(cost));
    row.emplace_back(display_name(profile, function));
    row.push_back(display_place(profile, function));
    table.add_row(std::move(row));
  }
  if (overview.graph.functions.empty()) return "Nothing was measured.\n";
  if (table.empty()) return "No function matches.\n";
  return table.render(style) + more_rows(all, functions.size(), style);
}

}  // namespace pyrometer

// Callers and callees: the same table seen from its two sides.
#include "analyze/names.h"
#include "base/format_value.h"
#include "report/call_side.h"
#include "report/sections.h"
#include "report/small_rows.h"

namespace pyrometer {
namespace {

std::string edges_section(const Overview& overview, const ReportOptions& options,
                          const Style& style, const CallSide& side, const char* verb) {
  const Profile& profile = overview.profile;
  const Unit unit = profile.metrics[overview.metric.row()].unit;
  std::vector<FunctionCost> functions = select_functions(overview, options.selection);
  drop_small_rows(functions, overview, options);
  const std::size_t all = functions.size();
  limit_rows(functions, options.selection);
  TextTable table({{"function", TextTable::Align::kLeft},
                   {verb, TextTable::Align::kLeft},
                   {"calls"},
                   {"self"},
                   {"total"}});
  const auto name = [&](FunctionId id) {
    const Function& function = profile.functions[id.row()];
    const std::string place = display_place(profile, function);
    return fmt::format("{}{}", display_name(profile, function),
                       place.empty() ? "" : fmt::format(" ({})", place));
  };
  for (const FunctionCost& cost : functions) {
    std::string subject = name(cost.function);
    std::vector<CallEdge> edges(side.of(cost.function).begin(), side.of(cost.function).end());
    drop_small_rows(edges, overview, options);
    if (edges.empty()) table.add_row({subject, "-", "", "", ""});
    for (const CallEdge& edge : edges) {
      table.add_row({subject, name(side.other(edge)),
                     edge.calls == 0 ? "" : format_count(edge.calls), format_value(unit, edge.self),
                     format_value(unit, edge.total)});
      subject.clear();
    }
  }
  if (table.empty()) return "No function matches.\n";
  return table.render(style) + more_rows(all, functions.size(), style);
}

}  // namespace

std::string callers_section(const Overview& overview, const ReportOptions& options,
                            const Style& style) {
  return edges_section(overview, options, style, CallSide::callers(overview.graph),
                       "was called by");
}

std::string callees_section(const Overview& overview, const ReportOptions& options,
                            const Style& style) {
  return edges_section(overview, options, style, CallSide::callees(overview.graph), "called");
}

}  // namespace pyrometer

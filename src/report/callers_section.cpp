// Callers and callees: the same table seen from its two sides.
#include <algorithm>

#include "analyze/names.h"
#include "report/format_value.h"
#include "report/sections.h"

namespace pyrometer {
namespace {

struct Side {
  const char* verb;
  FunctionId CallEdge::*subject;
  FunctionId CallEdge::*other;
};
constexpr Side kCallers{"was called by", &CallEdge::callee, &CallEdge::caller};
constexpr Side kCallees{"called", &CallEdge::caller, &CallEdge::callee};

std::string edges_section(const Overview& overview, const ReportOptions& options,
                          const Style& style, const Side& side) {
  const Profile& profile = overview.profile;
  const Unit unit = profile.metrics[overview.metric.row()].unit;
  std::vector<FunctionCost> functions = select_functions(overview, options.selection);
  const std::size_t all = functions.size();
  limit_rows(functions, options.selection);
  std::vector<CallEdge> edges = overview.graph.edges;
  std::stable_sort(edges.begin(), edges.end(), [&](const CallEdge& a, const CallEdge& b) {
    return a.*side.subject != b.*side.subject ? a.*side.subject < b.*side.subject
                                              : a.total > b.total;
  });
  TextTable table({{"function", TextTable::Align::kLeft},
                   {side.verb, TextTable::Align::kLeft},
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
    auto edge = std::lower_bound(
        edges.begin(), edges.end(), cost.function,
        [&](const CallEdge& e, FunctionId function) { return e.*side.subject < function; });
    std::string subject = name(cost.function);
    if (edge == edges.end() || (*edge).*side.subject != cost.function) {
      table.add_row({subject, "-", "", "", ""});
    }
    for (; edge != edges.end() && (*edge).*side.subject == cost.function; ++edge) {
      table.add_row({subject, name((*edge).*side.other),
                     edge->calls == 0 ? "" : format_count(edge->calls),
                     format_value(unit, edge->self), format_value(unit, edge->total)});
      subject.clear();
    }
  }
  if (table.empty()) return "No function matches.\n";
  return table.render(style) + more_rows(all, functions.size(), style);
}

}  // namespace

std::string callers_section(const Overview& overview, const ReportOptions& options,
                            const Style& style) {
  return edges_section(overview, options, style, kCallers);
}

std::string callees_section(const Overview& overview, const ReportOptions& options,
                            const Style& style) {
  return edges_section(overview, options, style, kCallees);
}

}  // namespace pyrometer

// A function between its callers, above, and its callees, below.
#include "analyze/names.h"
#include "base/format_value.h"
#include "report/call_side.h"
#include "report/sandwich.h"
#include "report/sections.h"
#include "report/small_rows.h"

namespace pyrometer {
namespace {

class SandwichTable {
 public:
  SandwichTable(const Overview& overview, const ReportOptions& options)
      : overview_(overview),
        options_(options),
        unit_(overview.profile.metrics[overview.metric.row()].unit),
        callers_(CallSide::callers(overview.graph)),
        callees_(CallSide::callees(overview.graph)) {}

  void add(const FunctionCost& subject) {
    add_edges(callers_, subject.function, "  called by ");
    add_row(subject, subject.function, "");
    add_edges(callees_, subject.function, "  calls ");
  }

  bool empty() const { return table_.empty(); }
  std::string render(const Style& style) const { return table_.render(style); }

 private:
  void add_edges(const CallSide& side, FunctionId subject, const char* words) {
    std::vector<CallEdge> edges(side.of(subject).begin(), side.of(subject).end());
    drop_small_rows(edges, overview_, options_);
    for (const CallEdge& edge : edges) add_row(edge, side.other(edge), words);
  }

  void add_row(const CallCost& cost, FunctionId id, const char* words) {
    const Profile& profile = overview_.profile;
    const Function& function = profile.functions[id.row()];
    table_.add_row({format_value(unit_, cost.total), format_percent(overview_.share(cost.total)),
                    format_value(unit_, cost.self), cost.calls == 0 ? "" : format_count(cost.calls),
                    fmt::format("{}{}", words, display_name(profile, function)),
                    display_place(profile, function)});
  }

  const Overview& overview_;
  const ReportOptions& options_;
  Unit unit_;
  CallSide callers_;
  CallSide callees_;
  TextTable table_{{{"total"},
                    {"%"},
                    {"self"},
                    {"calls"},
                    {"function", TextTable::Align::kLeft},
                    {"where", TextTable::Align::kLeft}}};
};

}  // namespace

std::vector<FunctionCost> sandwich_subjects(const Overview& overview,
                                            const ReportOptions& options) {
  Selection selection = options.selection;
  selection.keep.insert(selection.keep.end(), options.sandwich.begin(), options.sandwich.end());
  return select_functions(overview, selection);
}

std::string sandwich_section(const Overview& overview, const ReportOptions& options,
                             const Style& style) {
  std::vector<FunctionCost> subjects = sandwich_subjects(overview, options);
  const std::size_t all = subjects.size();
  limit_rows(subjects, options.selection);
  SandwichTable table(overview, options);
  for (const FunctionCost& subject : subjects) table.add(subject);
  if (table.empty()) return "No function matches.\n";
  return table.render(style) + more_rows(all, subjects.size(), style);
}

}  // namespace pyrometer

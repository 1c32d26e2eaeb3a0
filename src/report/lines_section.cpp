#include "analyze/names.h"
#include "base/format_value.h"
#include "profile/source_lines.h"
#include "report/sections.h"
#include "report/small_rows.h"

namespace pyrometer {

std::string lines_section(const Overview& overview, const ReportOptions& options,
                          const Style& style) {
  const Profile& profile = overview.profile;
  const Unit unit = profile.metrics[overview.metric.row()].unit;
  if (overview.lines.empty()) {
    return "No lines were recorded: cProfile files have functions only; record with "
           "'pyrometer run' to see lines.\n";
  }
  std::vector<LineCost> lines = select_lines(overview, options.selection);
  drop_small_rows(lines, overview, options);
  const std::size_t all = lines.size();
  limit_rows(lines, options.selection);
  bool has_hits = false;
  for (const LineCost& line : lines) has_hits |= line.hits != 0;

  std::vector<TextTable::Column> columns{{"self"}, {"%"}, {"total"}, {"%"}};
  if (has_hits) columns.push_back({"hits"});
  columns.push_back({"line", TextTable::Align::kLeft});
  columns.push_back({"function", TextTable::Align::kLeft});
  columns.push_back({"source", TextTable::Align::kLeft});
  TextTable table(std::move(columns));
  SourceLines sources(profile);
  for (const LineCost& line : lines) {
    const Function& function = profile.functions[line.function.row()];
    std::vector<std::string> row{
        format_value(unit, line.self), format_percent(overview.share(line.self)),
        format_value(unit, line.total), format_percent(overview.share(line.total))};
    if (has_hits) row.push_back(format_count(line.hits));
    row.push_back(display_place(profile, function, line.line));
    row.emplace_back(display_name(profile, function));
    row.push_back(sources.line(function.file, line.line));
    table.add_row(std::move(row));
  }
  if (table.empty()) return "No line matches.\n";
  return table.render(style) + more_rows(all, lines.size(), style);
}

}  // namespace pyrometer

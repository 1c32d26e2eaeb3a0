// Lines of memory_profiler by what they added; the whole tables are those of `pyrometer lines`.
#include <algorithm>

#include "analyze/memory_lines.h"
#include "analyze/names.h"
#include "base/format_value.h"
#include "profile/source_lines.h"
#include "report/sections.h"

namespace pyrometer {

bool has_memory_lines_only(const Overview& overview) {
  return overview.graph.functions.empty() && !make_memory_lines(overview.profile).empty();
}

std::string memory_section(const Overview& overview, const ReportOptions& options,
                           const Style& style) {
  const Profile& profile = overview.profile;
  const auto level = profile.find_metric(metric::kMemory);
  std::map<std::pair<FunctionId, std::uint32_t>, std::int64_t> levels;
  for (const LineValue& value : profile.line_values) {
    if (value.metric != level) continue;
    auto& most = levels[{value.function, value.line}];
    most = std::max(most, value.value);
  }
  std::vector<LineCost> lines = select_lines(overview, options.selection);
  const std::size_t all = lines.size();
  limit_rows(lines, options.selection);
  TextTable table({{"increment"},
                   {"memory"},
                   {"hits"},
                   {"line", TextTable::Align::kLeft},
                   {"function", TextTable::Align::kLeft},
                   {"source", TextTable::Align::kLeft}});
  SourceLines sources(profile);
  for (const LineCost& line : lines) {
    const Function& function = profile.functions[line.function.row()];
    table.add_row(
        {format_value(Unit::kBytes, line.self),
         format_value(Unit::kBytes, levels[{line.function, line.line}]),
         line.hits == 0 ? "" : format_count(line.hits), display_place(profile, function, line.line),
         std::string(display_name(profile, function)), sources.line(function.file, line.line)});
  }
  if (table.empty()) return "No line matches.\n";
  return table.render(style) + more_rows(all, lines.size(), style);
}

}  // namespace pyrometer

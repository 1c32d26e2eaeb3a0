#include <algorithm>
#include <numeric>

#include "base/format_value.h"
#include "report/process_words.h"
#include "report/sections.h"
#include "report/small_rows.h"

namespace pyrometer {

std::string processes_section(const Overview& overview, const ReportOptions& options,
                              const Style& style) {
  const Profile& profile = overview.profile;
  const std::size_t metric = overview.metric.row();
  const Unit unit = profile.metrics[metric].unit;
  std::vector<std::uint32_t> rows(profile.processes.size());
  std::iota(rows.begin(), rows.end(), 0U);
  std::stable_sort(rows.begin(), rows.end(), [&](std::uint32_t a, std::uint32_t b) {
    return profile.process_totals[a][metric] > profile.process_totals[b][metric];
  });
  drop_small_rows(rows, overview, options,
                  [&](std::uint32_t row) { return profile.process_totals[row][metric]; });
  const std::size_t all = rows.size();
  limit_rows(rows, options.selection);
  TextTable table({{profile.metrics[metric].name},
                   {"%"},
                   {"wall"},
                   {"process", TextTable::Align::kLeft},
                   {"end", TextTable::Align::kLeft},
                   {"file", TextTable::Align::kLeft}});
  for (const std::uint32_t row : rows) {
    const Process& process = profile.processes[row];
    const std::int64_t value = profile.process_totals[row][metric];
    table.add_row({format_value(unit, value), format_percent(overview.share(value)),
                   format_value(Unit::kNanoseconds, process.duration), process_words(process),
                   status_words(process), process.source});
  }
  return table.render(style) + more_rows(all, rows.size(), style);
}

}  // namespace pyrometer

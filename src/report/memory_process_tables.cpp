// Call paths, functions that were marked, the trend, and lines.
#include <fmt/format.h>

#include <algorithm>

#include "analyze/counters.h"
#include "base/format_value.h"
#include "base/printable.h"
#include "profile/source_lines.h"
#include "report/memory_lines_text.h"
#include "report/memory_sections.h"
#include "report/process_words.h"
#include "report/sections.h"

namespace pyrometer {
namespace {

constexpr auto kLeft = TextTable::Align::kLeft;

std::string bytes(std::int64_t value) { return format_value(Unit::kBytes, value); }

std::string series_words(const Profile& profile, const MemorySeries& series) {
  const std::string_view kind = name_of(series.kind);
  if (profile.processes.size() == 1) return std::string(kind);
  return fmt::format("{}, {}", kind,
                     printable(process_words(profile.processes[series.process.row()])));
}

}  // namespace

std::string memory_tree_section(const MemorySubject& subject, const MemoryReportOptions& options,
                                const Style& style) {
  const Profile& profile = subject.profile();
  const auto metric = profile.find_metric(order_of(subject, options).name);
  if (!metric) return {};
  const Overview overview = make_overview(profile, *metric);
  const ReportOptions report{.selection = options.selection};
  return fmt::format("Call paths by {}\n", profile.metrics[metric->row()].name) +
         tree_section(overview, report, style);
}

std::string slope_section(const MemorySubject& subject, const MemoryReportOptions&,
                          const Style& style) {
  TextTable table({{"per second"}, {"of", kLeft}});
  for (const MemorySeries& series : subject.series) {
    const auto trend = trend_of(series);
    if (!trend) continue;
    table.add_row(
        {bytes(static_cast<std::int64_t>(trend->slope)), series_words(subject.profile(), series)});
  }
  return table.empty() ? "" : "Slope over all the time\n" + table.render(style);
}

std::string memory_regions_section(const MemorySubject& subject, const MemoryReportOptions& options,
                                   const Style& style) {
  const CounterOverview counters = make_counter_overview(subject.profile());
  // Regions of a recording measure time, unless somebody gave them a value.
  const bool has_values =
      std::any_of(counters.regions.begin(), counters.regions.end(),
                  [](const RegionSummary& region) { return region.increment != 0; });
  if (!has_values) return {};
  ReportOptions report{.selection = options.selection};
  return "Functions by what they added\n" +
         counter_regions_table(subject.profile(), counters, report, style);
}

std::string memory_lines_section(const MemorySubject& subject, const MemoryReportOptions& options,
                                 const Style&) {
  return memory_lines_text(select_memory_lines(subject, options), [&](const std::string& file) {
    return source_of(subject.profile(), file);
  });
}

}  // namespace pyrometer

#include "analyze/counters.h"
#include "base/format_value.h"
#include "report/process_words.h"
#include "report/sections.h"

namespace pyrometer {
namespace {

std::string value_or_nothing(std::optional<std::int64_t> value) {
  return value ? format_value(Unit::kBytes, *value) : "";
}

std::string since(std::int64_t begin, std::int64_t time) {
  return format_value(Unit::kNanoseconds, time - begin);
}

// "peak 195 MiB at 3.20 s of 10.4 s": what `mprof peak` says, and when.
std::string headline(const CounterOverview& overview, const Style& style) {
  std::optional<CounterPeak> peak = overview.together;
  Unit unit = Unit::kBytes;
  for (const CounterSummary& counter : overview.counters) {
    if (peak) break;
    peak = counter.peak;
    unit = counter.unit;
  }
  if (!peak) return {};
  return fmt::format("Peak {}{} at {} of {}.\n", style.bold(format_value(unit, peak->value)),
                     overview.together ? " over all processes" : "",
                     since(overview.begin, peak->time),
                     format_value(Unit::kNanoseconds, overview.duration));
}

std::string counters_table(const Profile& profile, const CounterOverview& overview,
                           const ReportOptions& options, const Style& style) {
  TextTable table({{"peak"},
                   {"at"},
                   {"begin"},
                   {"end"},
                   {"points"},
                   {"counter", TextTable::Align::kLeft},
                   {"process", TextTable::Align::kLeft}});
  std::vector<CounterSummary> rows = overview.counters;
  limit_rows(rows, options.selection);
  for (const CounterSummary& row : rows) {
    const Process& process = profile.processes[row.process.row()];
    const std::string child = fmt::format("child {}", process.pid);
    const bool is_child = row.process.row() != 0 && process.host.empty() && process.pid != 0;
    table.add_row({format_value(row.unit, row.peak.value), since(overview.begin, row.peak.time),
                   format_value(row.unit, row.first), format_value(row.unit, row.last),
                   format_count(static_cast<std::int64_t>(row.points)),
                   std::string(profile.text(row.name)), is_child ? child : process_words(process)});
  }
  if (table.empty()) return {};
  return table.render(style) + more_rows(overview.counters.size(), rows.size(), style);
}

}  // namespace

std::string counter_regions_table(const Profile& profile, const CounterOverview& overview,
                                  const ReportOptions& options, const Style& style) {
  TextTable table({{"increment"},
                   {"largest"},
                   {"before"},
                   {"after"},
                   {"calls"},
                   {"time"},
                   {"function", TextTable::Align::kLeft}});
  std::vector<RegionSummary> rows = overview.regions;
  // Regions that were timed say nothing of memory.
  std::erase_if(rows, [](const RegionSummary& row) {
    return row.increment == 0 && row.largest == 0 && !row.before;
  });
  const std::size_t all = rows.size();
  limit_rows(rows, options.selection);
  for (const RegionSummary& row : rows) {
    table.add_row({format_value(Unit::kBytes, row.increment),
                   format_value(Unit::kBytes, row.largest), value_or_nothing(row.before),
                   value_or_nothing(row.after), format_count(static_cast<std::int64_t>(row.calls)),
                   format_value(Unit::kNanoseconds, row.duration),
                   std::string(profile.text(row.name))});
  }
  if (table.empty()) return {};
  return table.render(style) + more_rows(all, rows.size(), style);
}

std::string counters_section(const Overview& overview, const ReportOptions& options,
                             const Style& style) {
  const CounterOverview counters = make_counter_overview(overview.profile);
  const std::string regions = counter_regions_table(overview.profile, counters, options, style);
  return headline(counters, style) + counters_table(overview.profile, counters, options, style) +
         (regions.empty() ? "" : "\n" + regions);
}

}  // namespace pyrometer

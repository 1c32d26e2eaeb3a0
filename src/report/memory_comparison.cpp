// Processes, ranks and hosts side by side.
#include <fmt/format.h>

#include <algorithm>

#include "base/format_value.h"
#include "base/printable.h"
#include "report/memory_sections.h"
#include "report/process_words.h"
#include "report/sections.h"

namespace pyrometer {
namespace {

constexpr auto kLeft = TextTable::Align::kLeft;

std::string bytes(std::int64_t value) { return format_value(Unit::kBytes, value); }
std::string bytes_or_nothing(std::int64_t value) { return value == 0 ? "" : bytes(value); }
std::string share(std::optional<double> part) { return part ? format_percent(*part) : ""; }

std::string level(const std::optional<MemoryPeak>& peak) { return peak ? bytes(peak->bytes) : ""; }
std::string moment(const std::optional<MemoryPeak>& peak) {
  return peak && peak->time ? format_value(Unit::kNanoseconds, *peak->time) : "";
}

std::string name_of_process(const Process& process) {
  const bool is_child = process.host.empty() && process.pid != 0;
  return is_child ? fmt::format("child {}", process.pid) : process_words(process);
}

}  // namespace

std::string memory_processes_section(const MemorySubject& subject,
                                     const MemoryReportOptions& options, const Style& style) {
  std::vector<ProcessMemory> rows = subject.facts.processes;
  if (rows.size() < 2) return {};
  std::stable_sort(rows.begin(), rows.end(),
                   [](const auto& a, const auto& b) { return a.height() > b.height(); });
  limit_rows(rows, options.selection);
  TextTable table({{"peak heap"},
                   {"at"},
                   {"resident"},
                   {"of limit"},
                   {"limit"},
                   {"live"},
                   {"allocated"},
                   {"process", kLeft}});
  for (const ProcessMemory& row : rows) {
    const auto available = row.available();
    table.add_row({level(row.heap), moment(row.heap ? row.heap : row.resident), level(row.resident),
                   share(row.share_of_available()), available ? bytes(*available) : "",
                   bytes_or_nothing(row.figures.live), bytes_or_nothing(row.figures.allocated),
                   name_of_process(subject.profile().processes[row.process.row()])});
  }
  return "Processes by peak\n" + table.render(style) +
         more_rows(subject.facts.processes.size(), rows.size(), style);
}

std::string memory_spread_section(const MemorySubject& subject, const MemoryReportOptions&,
                                  const Style& style) {
  const MemorySpread& spread = subject.spread;
  if (spread.processes.size() < 2) return {};
  const auto name = [&](std::uint32_t row) {
    return short_process_words(subject.profile().processes[spread.processes[row].row()]);
  };
  TextTable table({{"", kLeft},
                   {"least"},
                   {"of", kLeft},
                   {"mean"},
                   {"deviation"},
                   {"most"},
                   {"of", kLeft},
                   {"imbalance"}});
  const auto add = [&](const char* what, const AcrossRanks& across) {
    if (across.is_empty()) return;
    table.add_row({what, bytes(across.least), name(across.least_rank),
                   bytes(static_cast<std::int64_t>(across.mean(across.ranks))),
                   bytes(static_cast<std::int64_t>(across.deviation(across.ranks))),
                   bytes(across.maximum), name(across.maximum_rank),
                   fmt::format("{:.2f}", across.imbalance(across.ranks))});
  };
  add("peak heap", spread.heap);
  add("resident", spread.resident);
  add("live at the end", spread.live);
  if (table.empty()) return {};
  return fmt::format("Over {} {}\n",
                     format_count(static_cast<std::int64_t>(spread.processes.size())),
                     spread.is_of_ranks ? "ranks" : "processes") +
         table.render(style);
}

std::string memory_hosts_section(const MemorySubject& subject, const MemoryReportOptions& options,
                                 const Style& style) {
  std::vector<HostMemory> rows = subject.hosts;
  // Of a host with one process its own row tells all.
  std::erase_if(rows, [](const HostMemory& host) { return host.processes < 2 || !host.resident; });
  const std::size_t all = rows.size();
  std::stable_sort(rows.begin(), rows.end(), [](const HostMemory& a, const HostMemory& b) {
    return a.share().value_or(0) > b.share().value_or(0);
  });
  limit_rows(rows, options.selection);
  TextTable table({{"resident"}, {"at"}, {"%"}, {"of"}, {"processes"}, {"host", kLeft}});
  for (const HostMemory& host : rows) {
    const char* const whose = host.is_limit ? " limit" : "";
    table.add_row({level(host.resident), moment(host.resident), share(host.share()),
                   host.available ? bytes(*host.available) + whose : "",
                   format_count(static_cast<std::int64_t>(host.processes)), printable(host.name)});
  }
  if (table.empty()) return {};
  return "Hosts, their processes together\n" + table.render(style) +
         more_rows(all, rows.size(), style);
}

}  // namespace pyrometer

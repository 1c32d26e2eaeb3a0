// Who allocated, what grows, what comes and goes, and how large blocks are.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/format_value.h"
#include "profile/source_lines.h"
#include "report/memory_sections.h"
#include "report/memory_site_cells.h"
#include "report/sections.h"

namespace pyrometer {
namespace {

constexpr auto kLeft = TextTable::Align::kLeft;
constexpr double kWorthShowing = 0.01;  // of all bytes, for churn
constexpr std::size_t kBarWidth = 40;

std::string bytes(std::int64_t value) { return format_value(Unit::kBytes, value); }
std::string bytes_or_nothing(std::int64_t value) { return value == 0 ? "" : bytes(value); }

}  // namespace

std::string memory_parts_section(const MemorySubject& subject, const MemoryReportOptions&,
                                 const Style& style) {
  const MemoryFigures& all = subject.facts.figures;
  struct Row {
    const char* name;
    std::int64_t whole, numpy, native;
  };
  const Row rows[] = {
      {"at the peak", all.peak, all.peak_numpy, all.peak_native},
      {"live at the end", all.live, all.live_numpy, all.live_native},
      {"allocated", all.allocated, all.allocated_numpy, all.allocated_native},
  };
  TextTable table({{"", kLeft}, {"all"}, {"Python"}, {"NumPy"}, {"native"}});
  bool has_parts = false;
  for (const Row& row : rows) {
    if (row.whole <= 0) continue;
    has_parts = has_parts || row.numpy != 0 || row.native != 0;
    table.add_row({row.name, bytes(row.whole),
                   share_cell(row.whole - row.numpy - row.native, row.whole),
                   share_cell(row.numpy, row.whole), share_cell(row.native, row.whole)});
  }
  return has_parts ? table.render(style) : "";
}

std::string memory_sites_section(const MemorySubject& subject, const MemoryReportOptions& options,
                                 const Style& style) {
  const Profile& profile = subject.profile();
  const MemoryOrder order = order_of(subject, options);
  std::vector<MemorySite> sites = select_memory_sites(subject, options);
  if (sites.empty()) return {};
  const std::size_t all = sites.size();
  limit_rows(sites, options.selection);
  const bool is_line = options.unit == MemoryUnit::kLine;
  std::vector<TextTable::Column> columns{{std::string(order.name)}, {"%"}};
  for (const char* other : {"peak", "live", "allocated"}) {
    if (order.name != other) columns.push_back({other});
  }
  columns.push_back({"blocks"});
  if (is_line) columns.push_back({"line", kLeft});
  columns.push_back({"function", kLeft});
  columns.push_back({is_line ? "source" : "where", kLeft});
  TextTable table(std::move(columns));
  SourceLines sources(profile);
  const std::int64_t whole = subject.facts.figures.*order.figure;
  for (const MemorySite& site : sites) {
    const MemoryFigures& figures = site.figures;
    const std::int64_t value = figures.*order.figure;
    const bool is_count = order.figure == &MemoryFigures::allocations;
    std::vector<std::string> cells{is_count ? format_count(value) : bytes(value),
                                   share_cell(value, whole)};
    if (order.name != "peak") cells.push_back(bytes_or_nothing(figures.peak));
    if (order.name != "live") cells.push_back(bytes_or_nothing(figures.live));
    if (order.name != "allocated") cells.push_back(bytes_or_nothing(figures.allocated));
    cells.push_back(figures.allocations == 0 ? "" : format_count(figures.allocations));
    if (is_line) cells.push_back(where_cell(profile, site.place));
    cells.push_back(name_cell(profile, site.place));
    cells.push_back(is_line ? source_cell(profile, sources, site)
                            : where_cell(profile, site.place));
    table.add_row(std::move(cells));
  }
  const std::string title =
      order.figure == &MemoryFigures::peak ? "Who held the peak" : "Who allocated";
  return fmt::format("{}, by {}\n", title, is_line ? "line" : "function") + table.render(style) +
         more_rows(all, sites.size(), style);
}

std::string live_section(const MemorySubject& subject, const MemoryReportOptions& options,
                         const Style& style) {
  const Profile& profile = subject.profile();
  std::vector<LiveMemory> rows = select_live(subject, options);
  std::int64_t whole = 0;
  for (const LiveMemory& row : rows) whole += row.bytes;
  const std::size_t all = rows.size();
  limit_rows(rows, options.selection);
  TextTable table({{"live"}, {"%"}, {"line", kLeft}, {"function", kLeft}, {"source", kLeft}});
  SourceLines sources(profile);
  for (const LiveMemory& row : rows) {
    const Function& function = profile.functions[row.place.function.row()];
    table.add_row({bytes(row.bytes), share_cell(row.bytes, whole), where_cell(profile, row.place),
                   name_cell(profile, row.place), sources.line(function.file, row.place.line)});
  }
  const std::string title = fmt::format(
      "Live at {}: {}\n", format_value(Unit::kNanoseconds, options.at.value_or(0)), bytes(whole));
  return table.empty() ? title : title + table.render(style) + more_rows(all, rows.size(), style);
}

std::string growth_section(const MemorySubject& subject, const MemoryReportOptions& options,
                           const Style& style) {
  const Profile& profile = subject.profile();
  std::vector<GrowingMemory> rows = select_growing(subject, options);
  if (rows.empty()) return {};
  const std::size_t all = rows.size();
  limit_rows(rows, options.selection);
  TextTable table({{"per second"},
                   {"growth"},
                   {"live"},
                   {"line", kLeft},
                   {"function", kLeft},
                   {"source", kLeft}});
  SourceLines sources(profile);
  for (const GrowingMemory& row : rows) {
    const Function& function = profile.functions[row.place.function.row()];
    table.add_row({bytes(static_cast<std::int64_t>(row.rate)), bytes(row.growth), bytes(row.live),
                   where_cell(profile, row.place), name_cell(profile, row.place),
                   sources.line(function.file, row.place.line)});
  }
  return "Growing through the second half: leak candidates\n" + table.render(style) +
         more_rows(all, rows.size(), style);
}

std::string churn_section(const MemorySubject& subject, const MemoryReportOptions& options,
                          const Style& style) {
  const MemoryFigures& all_figures = subject.facts.figures;
  if (static_cast<double>(all_figures.temporary) <
          kWorthShowing * static_cast<double>(all_figures.allocated) ||
      all_figures.temporary == 0) {
    return {};
  }
  MemoryReportOptions by_temporary = options;
  by_temporary.unit = MemoryUnit::kLine;
  by_temporary.order = MemoryOrder{"temporary", &MemoryFigures::temporary};
  std::vector<MemorySite> sites = select_memory_sites(subject, by_temporary);
  const std::size_t all = sites.size();
  limit_rows(sites, options.selection);
  TextTable table({{"temporary"},
                   {"%"},
                   {"blocks"},
                   {"each"},
                   {"line", kLeft},
                   {"function", kLeft},
                   {"source", kLeft}});
  SourceLines sources(subject.profile());
  for (const MemorySite& site : sites) {
    const MemoryFigures& figures = site.figures;
    table.add_row({bytes(figures.temporary), share_cell(figures.temporary, all_figures.temporary),
                   format_count(figures.allocations),
                   figures.allocations > 0 ? bytes(figures.allocated / figures.allocations) : "",
                   where_cell(subject.profile(), site.place),
                   name_cell(subject.profile(), site.place),
                   source_cell(subject.profile(), sources, site)});
  }
  if (table.empty()) return {};
  return "Allocated and freed again within 0.1 s\n" + table.render(style) +
         more_rows(all, sites.size(), style);
}

std::string sizes_section(const MemorySubject& subject, const MemoryReportOptions&,
                          const Style& style) {
  const auto& sizes = subject.facts.sizes;
  if (sizes.empty()) return {};
  const auto most = std::max_element(sizes.begin(), sizes.end(), [](const auto& a, const auto& b) {
                      return a.count < b.count;
                    })->count;
  TextTable table({{"size"}, {"allocations"}, {"", kLeft}});
  for (const AllocationSizes& size : sizes) {
    const double part = static_cast<double>(size.count) / static_cast<double>(most);
    const auto width = static_cast<std::size_t>(std::ceil(part * kBarWidth));
    std::string bar;
    for (std::size_t i = 0; i < width; ++i) bar += "█";
    const std::string from = size.bits < 2
                                 ? bytes(size.bits)
                                 : "≥ " + bytes(std::int64_t{1} << std::min(62U, size.bits - 1));
    table.add_row({from, format_count(size.count), bar});
  }
  return "Sizes of blocks\n" + table.render(style);
}

}  // namespace pyrometer

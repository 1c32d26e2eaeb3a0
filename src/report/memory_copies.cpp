// Which lines copy, and how much.
#include <fmt/format.h>

#include "analyze/ranks/rank_list.h"
#include "base/format_value.h"
#include "report/memory_sections.h"
#include "report/memory_site_cells.h"
#include "report/sections.h"

namespace pyrometer {
namespace {

constexpr auto kLeft = TextTable::Align::kLeft;

std::string bytes(std::int64_t value) { return format_value(Unit::kBytes, value); }

// ", sampled every 1.00 MiB"
std::string sampling_words(const Profile& profile) {
  for (const Process& process : profile.processes) {
    const std::int64_t between = number_attribute(process, memory_attribute::kCopySampleBytes, 0);
    if (between > 0) return fmt::format(", sampled every {}", bytes(between));
  }
  return {};
}

}  // namespace

std::string copies_section(const MemorySubject& subject, const MemoryReportOptions& options,
                           const Style& style) {
  const std::int64_t whole = subject.facts.figures.copied;
  MemoryReportOptions by_copied = options;
  by_copied.unit = MemoryUnit::kLine;
  by_copied.order = MemoryOrder{"copied", &MemoryFigures::copied};
  std::vector<MemorySite> sites = select_memory_sites(subject, by_copied);
  if (sites.empty()) return {};
  const std::size_t all = sites.size();
  limit_rows(sites, options.selection);
  TextTable table({{"copied"},
                   {"%"},
                   {"copies"},
                   {"each"},
                   {"line", kLeft},
                   {"function", kLeft},
                   {"source", kLeft}});
  SourceLines sources(subject.profile());
  for (const MemorySite& site : sites) {
    const std::int64_t copied = site.figures.copied, copies = site.figures.copies;
    table.add_row(
        {bytes(copied), share_cell(copied, whole), format_count(copies),
         copies > 0 ? bytes(copied / copies) : "", where_cell(subject.profile(), site.place),
         name_cell(subject.profile(), site.place), source_cell(subject.profile(), sources, site)});
  }
  return fmt::format("Copied by memcpy and its relatives{}\n", sampling_words(subject.profile())) +
         table.render(style) + more_rows(all, sites.size(), style);
}

}  // namespace pyrometer

#include "analyze/region_table.h"
#include "report/sections.h"

namespace pyrometer {
namespace {

using Section = std::string (*)(const Overview&, const ReportOptions&, const Style&);
struct OptionalSection {
  bool (*is_wanted)(const ReportOptions&) = nullptr;
  Section write = nullptr;
  bool shows_paths = false;
};
constexpr OptionalSection kSections[] = {
    {[](const ReportOptions& o) { return !o.group_by.empty(); }, groups_section},
    {[](const ReportOptions& o) { return !o.sandwich.empty(); }, sandwich_section, true},
    {[](const ReportOptions& o) { return o.callers; }, callers_section, true},
    {[](const ReportOptions& o) { return o.callees; }, callees_section, true},
    {[](const ReportOptions& o) { return o.lines; }, lines_section},
    {[](const ReportOptions& o) { return o.loops; }, loops_section},
    {[](const ReportOptions& o) { return o.tree; }, tree_section, true},
    {[](const ReportOptions& o) { return o.bottom_up; }, bottom_up_section, true},
    {[](const ReportOptions& o) { return o.threads; }, threads_section},
    {[](const ReportOptions& o) { return o.processes; }, processes_section},
    {[](const ReportOptions& o) { return o.regions; }, regions_section},
    {[](const ReportOptions& o) { return o.tasks; }, tasks_section},
};

}  // namespace

std::string more_rows(std::size_t all, std::size_t shown, const Style& style) {
  if (all <= shown) return {};
  return style.dim(fmt::format("  … {} more; --limit 0 shows all", all - shown)) + "\n";
}

std::string report_text(const ReportSubject& subject, const ReportOptions& options) {
  const Style style(options.use_color);
  const Overview& overview = subject.overview;
  std::string out = summary_section(overview, style) + scope_section(subject, style) +
                    findings_section(subject, style);
  bool any_wanted = false;
  bool shows_paths = false;
  for (const OptionalSection& section : kSections) {
    if (!section.is_wanted(options)) continue;
    any_wanted = true;
    shows_paths |= section.shows_paths;
  }
  if (shows_paths) out += folding_section(subject, style);
  // The table of functions, or of lines where there are no others, is the default; a view that was
  // asked for stands alone.
  const bool has_functions = !overview.graph.functions.empty();
  const bool has_lines_only = !has_functions && !overview.lines.empty();
  const bool has_counters_only =
      !has_functions && !has_lines_only && !overview.profile.counters.empty();
  const Section usual = has_counters_only                 ? counters_section
                        : has_memory_lines_only(overview) ? memory_section
                        : has_lines_only                  ? lines_section
                                                          : functions_section;
  if (!any_wanted) out += "\n" + usual(overview, options, style);
  const bool has_regions = !make_region_table(overview.profile).empty();
  if (!any_wanted && has_regions) out += "\n" + regions_section(overview, options, style);
  for (const OptionalSection& section : kSections) {
    if (!section.is_wanted(options)) continue;
    out +=
        "\n" + section.write(section.shows_paths ? subject.of_paths() : overview, options, style);
  }
  return out;
}

std::string report_text(const Overview& overview, const ReportOptions& options) {
  return report_text(ReportSubject{.overview = overview}, options);
}

}  // namespace pyrometer

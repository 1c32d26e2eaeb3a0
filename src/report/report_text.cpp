#include "report/sections.h"

namespace pyrometer {
namespace {

using Section = std::string (*)(const Overview&, const ReportOptions&, const Style&);
struct OptionalSection {
  bool ReportOptions::*wanted;
  Section write;
};
constexpr OptionalSection kSections[] = {
    {&ReportOptions::callers, callers_section},     {&ReportOptions::callees, callees_section},
    {&ReportOptions::lines, lines_section},         {&ReportOptions::tree, tree_section},
    {&ReportOptions::bottom_up, bottom_up_section}, {&ReportOptions::threads, threads_section},
    {&ReportOptions::processes, processes_section},
};

}  // namespace

std::string more_rows(std::size_t all, std::size_t shown, const Style& style) {
  if (all <= shown) return {};
  return style.dim(fmt::format("  … {} more; --limit 0 shows all", all - shown)) + "\n";
}

std::string report_text(const Overview& overview, const ReportOptions& options) {
  const Style style(options.use_color);
  std::string out = summary_section(overview, style) + findings_section(overview, style);
  bool any_wanted = false;
  for (const OptionalSection& section : kSections) any_wanted |= options.*section.wanted;
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
  for (const OptionalSection& section : kSections) {
    if (options.*section.wanted) out += "\n" + section.write(overview, options, style);
  }
  return out;
}

}  // namespace pyrometer

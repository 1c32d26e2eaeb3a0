// The parts of a text report, one file each. A section is a title line and a table.
#pragma once

#include <string>
#include <vector>

#include "analyze/counters.h"
#include "report/report.h"
#include "report/text_table.h"

namespace pyrometer {

std::string summary_section(const Overview& overview, const Style& style);
std::string scope_section(const ReportSubject& subject, const Style& style);
std::string findings_section(const ReportSubject& subject, const Style& style);
// What was folded, for reports with a view of paths.
std::string folding_section(const ReportSubject& subject, const Style& style);

std::string functions_section(const Overview& overview, const ReportOptions& options,
                              const Style& style);
std::string callers_section(const Overview& overview, const ReportOptions& options,
                            const Style& style);
std::string callees_section(const Overview& overview, const ReportOptions& options,
                            const Style& style);
std::string sandwich_section(const Overview& overview, const ReportOptions& options,
                             const Style& style);
std::string lines_section(const Overview& overview, const ReportOptions& options,
                          const Style& style);
std::string loops_section(const Overview& overview, const ReportOptions& options,
                          const Style& style);
std::string groups_section(const Overview& overview, const ReportOptions& options,
                           const Style& style);
std::string tree_section(const Overview& overview, const ReportOptions& options,
                         const Style& style);
std::string bottom_up_section(const Overview& overview, const ReportOptions& options,
                              const Style& style);
std::string threads_section(const Overview& overview, const ReportOptions& options,
                            const Style& style);
std::string processes_section(const Overview& overview, const ReportOptions& options,
                              const Style& style);

std::string regions_section(const Overview& overview, const ReportOptions& options,
                            const Style& style);

std::string tasks_section(const Overview& overview, const ReportOptions& options,
                          const Style& style);

// Of profiles that have counters over time, and nothing else.
std::string counters_section(const Overview& overview, const ReportOptions& options,
                             const Style& style);
std::string counter_regions_table(const Profile& profile, const CounterOverview& overview,
                                  const ReportOptions& options, const Style& style);
// Of profiles that have memory by line, and nothing else.
bool has_memory_lines_only(const Overview& overview);
std::string memory_section(const Overview& overview, const ReportOptions& options,
                           const Style& style);

// "  … 120 more; --limit 0 shows all", or nothing when all are shown.
std::string more_rows(std::size_t all, std::size_t shown, const Style& style);

}  // namespace pyrometer

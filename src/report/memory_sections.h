// The parts of the report on memory; each is empty where there is nothing to say.
#pragma once

#include "report/memory_report.h"
#include "report/text_table.h"

namespace pyrometer {

std::string memory_header(const MemorySubject& subject, const Style& style);
std::string memory_parts_section(const MemorySubject& subject, const MemoryReportOptions& options,
                                 const Style& style);
std::string memory_sites_section(const MemorySubject& subject, const MemoryReportOptions& options,
                                 const Style& style);
std::string memory_tree_section(const MemorySubject& subject, const MemoryReportOptions& options,
                                const Style& style);
std::string live_section(const MemorySubject& subject, const MemoryReportOptions& options,
                         const Style& style);
std::string growth_section(const MemorySubject& subject, const MemoryReportOptions& options,
                           const Style& style);
std::string churn_section(const MemorySubject& subject, const MemoryReportOptions& options,
                          const Style& style);
std::string copies_section(const MemorySubject& subject, const MemoryReportOptions& options,
                           const Style& style);
std::string sizes_section(const MemorySubject& subject, const MemoryReportOptions& options,
                          const Style& style);
std::string slope_section(const MemorySubject& subject, const MemoryReportOptions& options,
                          const Style& style);
std::string memory_processes_section(const MemorySubject& subject,
                                     const MemoryReportOptions& options, const Style& style);
std::string memory_spread_section(const MemorySubject& subject, const MemoryReportOptions& options,
                                  const Style& style);
std::string memory_hosts_section(const MemorySubject& subject, const MemoryReportOptions& options,
                                 const Style& style);
std::string memory_regions_section(const MemorySubject& subject, const MemoryReportOptions& options,
                                   const Style& style);
std::string memory_lines_section(const MemorySubject& subject, const MemoryReportOptions& options,
                                 const Style& style);

}  // namespace pyrometer

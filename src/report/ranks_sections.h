// The parts of the report about ranks.
#pragma once

#include "report/ranks_report.h"
#include "report/text_table.h"

namespace pyrometer {

std::string rank_header(const Overview& overview, const Style& style);
std::string rank_functions_section(const Overview& overview, const RanksReportOptions& options,
                                   const Style& style);
std::string rank_lines_section(const Overview& overview, const RanksReportOptions& options,
                               const Style& style);
std::string rank_mpi_section(const Overview& overview, const RanksReportOptions& options,
                             const Style& style);
std::string rank_hosts_section(const Overview& overview, const RanksReportOptions& options,
                               const Style& style);
// All, or the busiest and the idlest.
std::string rank_list_section(const Overview& overview, const RanksReportOptions& options,
                              const Style& style);
// Each function that matches, rank by rank.
std::string function_by_rank_section(const Overview& overview, const RanksReportOptions& options,
                                     const Style& style);
// The functions of one rank, the most expensive first.
std::string functions_of_rank_section(const Overview& overview, const RanksReportOptions& options,
                                      const Style& style);

// "▁▁▃▇█▂"
std::string bars(const std::vector<std::size_t>& counts);
std::string rank_value(const RankFacts& facts, double value);

}  // namespace pyrometer

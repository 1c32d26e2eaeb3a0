// What the user asked `pyrometer report` for.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "report/report.h"

namespace pyrometer {

struct ReportArguments {
  std::vector<std::string> profiles;
  std::vector<std::string> keep, drop;
  std::vector<std::string> sort;
  std::vector<std::string> restrictions;
  std::string format;  // empty: text
  std::string metric;
  std::optional<std::size_t> limit;  // 0: none
  ReportOptions options;
  double least_percent = 0.5;
  bool reverse = false;
  bool strip_directories = false;
  bool json = false;
};

// The restrictions in the order they were given.
Result<std::vector<Restriction>> parse_restrictions(const std::vector<std::string>& words);

// --format pstats
Result<std::string> report_as_pstats(const ReportArguments& arguments);

}  // namespace pyrometer

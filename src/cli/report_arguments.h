// What the user asked `pyrometer report` for.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "cli/command_line.h"
#include "cli/row_options.h"
#include "report/report.h"

namespace pyrometer {

struct ReportArguments {
  std::vector<std::string> profiles;
  std::vector<std::string> keep, drop;
  std::vector<std::string> keep_function, keep_file, keep_module;
  std::vector<std::string> drop_function, drop_file, drop_module;
  std::vector<std::string> focus, fold, sandwich, group_by;
  std::vector<std::string> sort;
  std::vector<std::string> restrictions;
  std::string format;  // empty: text
  std::string metric;
  std::string region;  // empty: everything
  std::string output;  // empty: standard output
  bool per_rank = false;
  bool gil = false, idle = false, no_idle = false;  // metrics by other words
  bool no_fold = false;
  bool with_regions = false;  // among the frames of call paths
  RowLimit limit;
  ReportOptions options;  // as far as flags fill it in
  std::optional<double> least_percent;
  bool reverse = false;
  bool strip_directories = false;
  bool json = false;
};

void add_report_options(CommandLine& line, CLI::App& command, ReportArguments& arguments);

inline constexpr std::string_view kReportFormats[] = {"text", "json", "pstats"};

// What the arguments mean once patterns and words are understood.
Result<ReportOptions> parse_report_options(const ReportArguments& arguments, bool json);
Result<std::vector<Pattern>> parse_patterns(const std::vector<std::string>& texts);

// The restrictions in the order they were given.
Result<std::vector<Restriction>> parse_restrictions(const std::vector<std::string>& words);

// The metric of --metric, --gil, --idle or --no-idle, else the main one.
struct ChosenMetric {
  MetricId metric;
  std::string words;  // what it means, where a flag chose it
};
Result<ChosenMetric> choose_metric(const ReportArguments& arguments, const Profile& profile);

// --format pstats
Result<std::string> report_as_pstats(const ReportArguments& arguments);

}  // namespace pyrometer

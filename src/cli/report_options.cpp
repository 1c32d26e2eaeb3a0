// The options of `pyrometer report`, and what they mean.
#include <fmt/ranges.h>

#include "cli/report_arguments.h"
#include "cli/row_options.h"
#include "cli/with_regions.h"

namespace pyrometer {
namespace {

constexpr std::size_t kDefaultLimit = 20;

CLI::Option* add_regex(CLI::App& command, const char* name, std::vector<std::string>& texts,
                       const char* description, const char* group) {
  return command.add_option(name, texts, description)
      ->type_name("RE")
      ->allow_extra_args(false)
      ->group(group);
}

void add_views(CommandLine& line, CLI::App& command, ReportArguments& arguments) {
  constexpr const char* kViews = "Views (default: a table of functions)";
  ReportOptions& options = arguments.options;
  const auto add_flag = [&](const char* name, bool& flag, const char* description) {
    command.add_flag(name, flag, description)->group(kViews);
  };
  CLI::Option* by = command
                        .add_option("--by", arguments.group_by,
                                    fmt::format("Time of each {}; several with commas",
                                                fmt::join(group_words(), ", ")))
                        ->type_name("WHAT")
                        ->delimiter(',')
                        ->allow_extra_args(false)
                        ->group(kViews);
  line.choices[by] = group_words();
  add_flag("--callers", options.callers, "Who calls each function");
  add_flag("--callees", options.callees, "What each function calls");
  add_regex(command, "--sandwich", arguments.sandwich,
            "Functions that match, between their callers and their callees", kViews);
  add_flag("--lines", options.lines, "The hottest lines, with their source");
  add_flag("--loops", options.loops, "The hottest loops, where the source can be read");
  add_flag("--tree", options.tree, "The call tree, from the top down");
  add_flag("--bottom-up", options.bottom_up, "Hot functions and the paths that lead to them");
  add_flag("--threads", options.threads, "What each thread cost");
  add_flag("--processes", options.processes, "What each process or rank cost");
  add_flag("--regions", options.regions, "The program's named timers");
  add_flag("--tasks", options.tasks, "Tasks of asyncio: their work, and where they wait");
}

void add_rows(CommandLine& line, CLI::App& command, ReportArguments& arguments) {
  CLI::Option* sort =
      command
          .add_option(
              "-s,--sort", arguments.sort,
              fmt::format("Order of the rows; several with commas, or repeated (default: self)\n"
                          "{}\nwords of pstats may be cut to a prefix",
                          fmt::join(sort_words(), ", ")))
          ->type_name("KEY")
          ->allow_extra_args(false)
          ->group(kRowsGroup);
  for (const std::string_view word : sort_words()) line.choices[sort].emplace_back(word);
  command.add_flag("--reverse", arguments.reverse, "The rows the other way round")
      ->group(kRowsGroup);
  add_row_limit(command, arguments.limit,
                fmt::format("{}; all with --json, --restrict or pstats", kDefaultLimit))
      ->group(kRowsGroup);
  command
      .add_option("--min-share", arguments.least_percent,
                  "Leave out rows and branches below this percentage (default: 0.5 in trees)")
      ->type_name("PERCENT")
      ->check(CLI::Range(0.0, 100.0).description(""))
      ->group(kRowsGroup);
  command.add_option("--depth", arguments.options.depth, "Levels of trees (default: 12)")
      ->type_name("N")
      ->group(kRowsGroup);
  command
      .add_option(
          "--restrict", arguments.restrictions,
          "Only so many rows (10), that share of them (0.1), or those whose file:line(name) "
          "matches a regex; repeated: one after the other")
      ->type_name("R")
      ->allow_extra_args(false)
      ->group(kRowsGroup);
}

void add_filters(CLI::App& command, ReportArguments& arguments) {
  constexpr const char* kFilters =
      "Filters (may be repeated; in trees, what is left out is its caller's)";
  add_regex(command, "-f,--filter", arguments.keep, "Only functions whose name or place matches",
            kFilters);
  add_regex(command, "--filter-function", arguments.keep_function, "... whose name matches",
            kFilters);
  add_regex(command, "--filter-file", arguments.keep_file, "... whose file matches", kFilters);
  add_regex(command, "--filter-module", arguments.keep_module,
            "... whose module matches, as in numpy.linalg", kFilters);
  add_regex(command, "-x,--exclude", arguments.drop, "No functions whose name or place matches",
            kFilters);
  add_regex(command, "--exclude-function", arguments.drop_function, "... whose name matches",
            kFilters);
  add_regex(command, "--exclude-file", arguments.drop_file, "... whose file matches", kFilters);
  add_regex(command, "--exclude-module", arguments.drop_module, "... whose module matches",
            kFilters);
}

void add_paths(CLI::App& command, ReportArguments& arguments) {
  constexpr const char* kPaths = "Call paths";
  add_regex(command, "--focus", arguments.focus,
            "Only what happens in functions that match and below them; percentages are of that",
            kPaths);
  add_regex(command, "--fold", arguments.fold,
            "Trees, callers and callees without functions that match: they are their caller's",
            kPaths);
  command
      .add_option("--region", arguments.region,
                  "Only what happened inside this region of the program (pyrometer.timed_region)")
      ->type_name("NAME")
      ->group(kPaths);
  add_with_regions(command, arguments.with_regions)->group(kPaths);
  command
      .add_flag("--no-fold", arguments.no_fold,
                "Also show timing decorators and other wrappers that only pass on")
      ->group(kPaths);
}

void add_metrics(CLI::App& command, ReportArguments& arguments) {
  constexpr const char* kMetrics = "Metric";
  command.add_option("-m,--metric", arguments.metric, "What to report on: wall, cpu, samples, ...")
      ->type_name("NAME")
      ->group(kMetrics);
  command.add_flag("--gil", arguments.gil, "Time in which Python code ran, which needs the GIL")
      ->group(kMetrics);
  command.add_flag("--idle", arguments.idle, "Time with all waiting: wall, the usual default")
      ->group(kMetrics);
  command.add_flag("--no-idle", arguments.no_idle, "Time on a CPU, without waiting: cpu")
      ->group(kMetrics);
}

void add_formats(CommandLine& line, CLI::App& command, ReportArguments& arguments) {
  constexpr const char* kOutput = "Output";
  CLI::Option* format =
      command
          .add_option("-F,--format", arguments.format,
                      "text, json, or pstats: byte for byte what Python's pstats prints")
          ->type_name("FORMAT")
          ->group(kOutput);
  line.choices[format].assign(std::begin(kReportFormats), std::end(kReportFormats));
  command.add_flag("--json", arguments.json, "The same as --format json")->group(kOutput);
  command
      .add_option("-o,--output", arguments.output,
                  "File to write (default: standard output); with %r in its name a file per rank")
      ->type_name("FILE")
      ->group(kOutput);
  command
      .add_flag("--per-rank", arguments.per_rank,
                "A report of each rank by itself: -o 'cpu_%r.txt'")
      ->group(kOutput);
  command
      .add_flag("--strip-dirs", arguments.strip_directories,
                "With --format pstats: no folders, as its strip_dirs()")
      ->group(kOutput);
}

Result<void> add_parts(std::vector<PartPattern>& parts, PartPattern::Part part,
                       const std::vector<std::string>& texts) {
  PYROMETER_TRY(std::vector<Pattern> patterns, parse_patterns(texts));
  for (Pattern& pattern : patterns) parts.push_back({part, std::move(pattern)});
  return {};
}

Result<void> parse_filters(const ReportArguments& arguments, Selection& selection) {
  using enum PartPattern::Part;
  PYROMETER_TRY(selection.keep, parse_patterns(arguments.keep));
  PYROMETER_TRY(selection.drop, parse_patterns(arguments.drop));
  PYROMETER_TRY_VOID(add_parts(selection.keep_parts, kFunction, arguments.keep_function));
  PYROMETER_TRY_VOID(add_parts(selection.keep_parts, kFile, arguments.keep_file));
  PYROMETER_TRY_VOID(add_parts(selection.keep_parts, kModule, arguments.keep_module));
  PYROMETER_TRY_VOID(add_parts(selection.drop_parts, kFunction, arguments.drop_function));
  PYROMETER_TRY_VOID(add_parts(selection.drop_parts, kFile, arguments.drop_file));
  PYROMETER_TRY_VOID(add_parts(selection.drop_parts, kModule, arguments.drop_module));
  return {};
}

Result<void> parse_order(const ReportArguments& arguments, bool json, Selection& selection) {
  if (!arguments.sort.empty()) {
    PYROMETER_TRY(SortOrder order, parse_sort_order(arguments.sort));
    selection.sort = std::move(order.keys);
    selection.is_default_order = false;
  }
  selection.reverse = arguments.reverse;
  PYROMETER_TRY(selection.restrictions, parse_restrictions(arguments.restrictions));
  for (const Restriction& restriction : selection.restrictions) {
    PYROMETER_TRY_VOID(restriction.check());
  }
  // For people a screenful, unless they say which rows, for programs everything.
  const bool has_default = !json && selection.restrictions.empty();
  selection.limit = arguments.limit.rows(has_default ? kDefaultLimit : 0);
  return {};
}

}  // namespace

Result<std::vector<Pattern>> parse_patterns(const std::vector<std::string>& texts) {
  std::vector<Pattern> patterns;
  for (const std::string& text : texts) {
    PYROMETER_TRY(Pattern pattern, Pattern::parse(text));
    patterns.push_back(std::move(pattern));
  }
  return patterns;
}

Result<std::vector<Restriction>> parse_restrictions(const std::vector<std::string>& words) {
  std::vector<Restriction> restrictions;
  for (const std::string& word : words) {
    PYROMETER_TRY(Restriction restriction, Restriction::parse(word));
    restrictions.push_back(std::move(restriction));
  }
  return restrictions;
}

Result<ReportOptions> parse_report_options(const ReportArguments& arguments, bool json) {
  ReportOptions options = arguments.options;
  PYROMETER_TRY_VOID(parse_order(arguments, json, options.selection));
  PYROMETER_TRY_VOID(parse_filters(arguments, options.selection));
  PYROMETER_TRY(options.sandwich, parse_patterns(arguments.sandwich));
  for (const std::string& word : arguments.group_by) {
    PYROMETER_TRY(const GroupBy by, parse_group_by(word));
    options.group_by.push_back(by);
  }
  if (arguments.least_percent) {
    options.least_share = *arguments.least_percent / 100;
    options.least_row_share = options.least_share;
  }
  return options;
}

void add_report_options(CommandLine& line, CLI::App& command, ReportArguments& arguments) {
  add_views(line, command, arguments);
  add_rows(line, command, arguments);
  add_filters(command, arguments);
  add_paths(command, arguments);
  add_metrics(command, arguments);
  add_formats(line, command, arguments);
}

}  // namespace pyrometer

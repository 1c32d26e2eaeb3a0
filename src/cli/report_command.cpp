#include <fmt/ranges.h>

#include <algorithm>

#include "analyze/main_metric.h"
#include "cli/command_line.h"
#include "cli/report_arguments.h"
#include "cli/terminal.h"
#include "load/load.h"

namespace pyrometer {
namespace {

constexpr std::size_t kDefaultLimit = 20;

// CLI11 would read a negative number of an unsigned type as a very large one.
std::string not_negative(const std::string& text) {
  return text.starts_with('-') ? "must be 0 or more" : "";
}

constexpr std::string_view kFormats[] = {"text", "json", "pstats"};

Result<void> check_format(const ReportArguments& arguments) {
  const std::string& format = arguments.format;
  if (!format.empty() &&
      std::find(std::begin(kFormats), std::end(kFormats), format) == std::end(kFormats)) {
    return fail(ErrorCode::kUsage, "there is no format '{}'; choose one of {}", format,
                fmt::join(kFormats, ", "));
  }
  if (arguments.strip_directories && format != "pstats") {
    return fail(ErrorCode::kUsage,
                "--strip-dirs is of --format pstats; other reports have short "
                "file names anyway");
  }
  return {};
}

Result<void> complete_selection(const ReportArguments& arguments, bool json, Selection& selection) {
  if (!arguments.sort.empty()) {
    PYROMETER_TRY(SortOrder order, parse_sort_order(arguments.sort));
    selection.sort = std::move(order.keys);
  }
  selection.reverse = arguments.reverse;
  PYROMETER_TRY(selection.restrictions, parse_restrictions(arguments.restrictions));
  for (const Restriction& restriction : selection.restrictions) {
    PYROMETER_TRY_VOID(restriction.check());
  }
  // For people a screenful, unless they say which rows, for programs everything.
  const bool has_default = !json && selection.restrictions.empty();
  const std::size_t limit = arguments.limit.value_or(has_default ? kDefaultLimit : 0);
  if (limit != 0) selection.limit = limit;
  for (const std::string& pattern : arguments.keep) {
    PYROMETER_TRY(Pattern parsed, Pattern::parse(pattern));
    selection.keep.push_back(std::move(parsed));
  }
  for (const std::string& pattern : arguments.drop) {
    PYROMETER_TRY(Pattern parsed, Pattern::parse(pattern));
    selection.drop.push_back(std::move(parsed));
  }
  return {};
}

Result<std::string> report(const ReportArguments& arguments) {
  PYROMETER_TRY_VOID(check_format(arguments));
  if (arguments.format == "pstats") return report_as_pstats(arguments);
  const bool json = arguments.json || arguments.format == "json";
  ReportOptions options = arguments.options;
  PYROMETER_TRY_VOID(complete_selection(arguments, json, options.selection));
  options.least_share = arguments.least_percent / 100;
  options.use_color = use_color_on_stdout();

  PYROMETER_TRY(const std::vector<Path> paths, find_profiles(arguments.profiles));
  ProgressLine progress;
  const Detail detail = options.threads ? Detail::kValues : Detail::kSummary;
  PYROMETER_TRY(Profile profile, load_profile(paths, {detail, progress.listener()}));
  // Then it is counters over time that there may be, which a merged file's summary leaves out.
  if (profile.nodes.empty() && profile.flat_values.empty() && profile.line_values.empty()) {
    PYROMETER_TRY(profile, load_profile(paths, {Detail::kEverything, progress.listener()}));
  }
  PYROMETER_TRY(const MetricId metric, arguments.metric.empty()
                                           ? main_metric(profile)
                                           : named_metric(profile, arguments.metric));
  const Overview overview = make_overview(profile, metric);
  return json ? report_json(overview, options) : report_text(overview, options);
}

Result<void> run_report(const ReportArguments& arguments) {
  PYROMETER_TRY(const std::string text, report(arguments));
  return write_to_stdout(text);
}

void add_row_options(CommandLine& line, CLI::App& command, ReportArguments& arguments) {
  CLI::Option* sort =
      command
          .add_option(
              "-s,--sort", arguments.sort,
              fmt::format("Order of the rows; several with commas, or repeated (default: self)\n"
                          "{}\nwords of pstats may be cut to a prefix",
                          fmt::join(sort_words(), ", ")))
          ->type_name("KEY")
          ->allow_extra_args(false);
  for (const std::string_view word : sort_words()) line.choices[sort].emplace_back(word);
  command.add_flag("--reverse", arguments.reverse, "The rows the other way round");
  command
      .add_option(
          "--restrict", arguments.restrictions,
          "Only so many rows (10), that share of them (0.1), or those whose file:line(name) "
          "matches a regex; repeated: one after the other")
      ->type_name("R")
      ->allow_extra_args(false);
  command
      .add_option("-n,--limit", arguments.limit,
                  "Rows to show, 0 for all (default: 20; all with --json, --restrict or pstats)")
      ->check(not_negative)
      ->type_name("N");
  command
      .add_option("-f,--filter", arguments.keep,
                  "Only functions whose name or place matches; may be repeated")
      ->type_name("REGEX")
      ->allow_extra_args(false);
  command.add_option("-x,--exclude", arguments.drop, "No functions whose name or place matches")
      ->type_name("REGEX")
      ->allow_extra_args(false);
}

}  // namespace

Result<std::vector<Restriction>> parse_restrictions(const std::vector<std::string>& words) {
  std::vector<Restriction> restrictions;
  for (const std::string& word : words) {
    PYROMETER_TRY(Restriction restriction, Restriction::parse(word));
    restrictions.push_back(std::move(restriction));
  }
  return restrictions;
}

void add_report_command(CommandLine& line) {
  auto arguments = std::make_shared<ReportArguments>();
  CLI::App& command = *line.app.add_subcommand(
      "report", "Findings in words, then where the time goes: functions, lines, callers, trees");
  add_profiles(command, arguments->profiles);
  add_row_options(line, command, *arguments);
  command
      .add_option("-m,--metric", arguments->metric, "What to report on: wall, cpu, samples, ...")
      ->type_name("NAME");
  ReportOptions& options = arguments->options;
  command.add_flag("--callers", options.callers, "Who calls each function");
  command.add_flag("--callees", options.callees, "What each function calls");
  command.add_flag("--lines", options.lines, "The hottest lines, with their source");
  command.add_flag("--tree", options.tree, "The call tree, from the top down");
  command.add_flag("--bottom-up", options.bottom_up,
                   "Hot functions and the paths that lead to them");
  command.add_flag("--threads", options.threads, "What each thread cost");
  command.add_flag("--processes", options.processes, "What each process or rank cost");
  command.add_option("--depth", options.depth, "Levels of trees (default: 12)")->type_name("N");
  command
      .add_option("--min-share", arguments->least_percent,
                  "Leave out branches of trees below this percentage (default: 0.5)")
      ->type_name("PERCENT")
      ->check(CLI::Range(0.0, 100.0).description(""));
  CLI::Option* format =
      command
          .add_option("-F,--format", arguments->format,
                      "text, json, or pstats: byte for byte what Python's pstats prints")
          ->type_name("FORMAT");
  line.choices[format].assign(std::begin(kFormats), std::end(kFormats));
  command.add_flag("--strip-dirs", arguments->strip_directories,
                   "With --format pstats: no folders, as its strip_dirs()");
  command.add_flag("--json", arguments->json, "The same as --format json");
  command.callback(
      [&line, arguments] { line.action = [arguments] { return run_report(*arguments); }; });
}

}  // namespace pyrometer

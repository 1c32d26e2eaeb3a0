#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "analyze/main_metric.h"
#include "base/format_value.h"
#include "cli/command_line.h"
#include "cli/memory_picture.h"
#include "cli/picture_file.h"
#include "cli/rank_parts.h"
#include "cli/report_arguments.h"
#include "cli/row_options.h"
#include "cli/terminal.h"
#include "load/load.h"
#include "profile/part.h"
#include "report/memory_report.h"

namespace pyrometer {
namespace {

constexpr double kLongest = 9e9;  // seconds that nanoseconds can count

struct MemoryArguments {
  std::vector<std::string> profiles;
  std::vector<std::string> keep, drop;
  std::string by = "line";
  RowArguments rows;         // without an order: the first that the profile has
  std::optional<double> at;  // seconds
  std::optional<std::int64_t> rank;
  MemoryPictureArguments picture;
  bool tree = false;
  bool json = false;
};

std::vector<std::string> order_names() {
  std::vector<std::string> names;
  for (const MemoryOrder& order : kMemoryOrders) names.emplace_back(order.name);
  return names;
}

std::string check_moment(const std::string& text) {
  const double seconds = std::strtod(text.c_str(), nullptr);
  return seconds >= 0 && seconds < kLongest ? "" : "must be a number of seconds, 0 or more";
}

Result<MemoryReportOptions> parse_options(const MemoryArguments& arguments) {
  MemoryReportOptions options{.tree = arguments.tree, .slope = arguments.picture.slope};
  if (!arguments.rows.order.empty()) {
    PYROMETER_TRY(const std::size_t order, find_order(arguments.rows.order, order_names()));
    options.order = kMemoryOrders[order];
  }
  options.unit = arguments.by == "line" ? MemoryUnit::kLine : MemoryUnit::kFunction;
  PYROMETER_TRY(options.selection.keep, parse_patterns(arguments.keep));
  PYROMETER_TRY(options.selection.drop, parse_patterns(arguments.drop));
  options.selection.limit = arguments.rows.limit.rows(arguments.json ? 0 : kDefaultRows);
  if (arguments.at) options.at = std::llround(*arguments.at * 1e9);
  options.use_color = use_color_on_stdout();
  PYROMETER_TRY(options.picture, parse_picture(arguments.picture));
  return options;
}

Result<Profile> load_memory(const std::vector<Path>& paths, const MemoryArguments& arguments) {
  ProgressLine progress;
  if (!arguments.rank) return load_profile(paths, {Detail::kCurves, progress.listener()});
  PYROMETER_TRY(const Profile all, load_profile(paths, {Detail::kValues, progress.listener()}));
  std::vector<bool> processes;
  for (const Process& process : all.processes) {
    processes.push_back(process.rank == *arguments.rank);
  }
  if (std::find(processes.begin(), processes.end(), true) == processes.end()) {
    return fail(ErrorCode::kNotFound, "'{}' has no rank {}; 'pyrometer memory' lists processes",
                arguments.profiles[0], *arguments.rank);
  }
  Profile part = part_of_profile(all, processes);
  expect_only(part, *arguments.rank);
  return part;
}

Result<void> check_memory(const MemorySubject& subject, const MemoryArguments& arguments) {
  if (!has_memory(subject)) {
    return fail(ErrorCode::kNotFound,
                "'{}' says nothing about memory; record the program with 'pyrometer run --memory'",
                arguments.profiles[0]);
  }
  if (arguments.at && subject.profile().live_tracks.empty()) {
    return fail(ErrorCode::kNotFound,
                "'{}' does not say what was live when; record the program with 'pyrometer run "
                "--memory', and merge it with this version",
                arguments.profiles[0]);
  }
  if (arguments.tree && !has_memory_figures(subject.profile())) {
    return fail(ErrorCode::kNotFound,
                "'{}' does not say who allocated; record the program with 'pyrometer run --memory'",
                arguments.profiles[0]);
  }
  if ((!arguments.picture.plot.empty() || arguments.picture.slope) && subject.series.empty()) {
    return fail(ErrorCode::kNotFound,
                "'{}' holds no memory over time, which --plot and --slope need; record the program "
                "with 'pyrometer run --memory'",
                arguments.profiles[0]);
  }
  return {};
}

Result<void> draw_memory(const MemorySubject& subject, const MemoryArguments& arguments,
                         const MemoryReportOptions& options) {
  if (arguments.picture.plot.empty()) return {};
  const auto& window = options.picture.window;
  if (window && !has_memory_within(subject, *window)) {
    return fail(ErrorCode::kNotFound, "'{}' holds no memory of the seconds {}; it lasted {}",
                arguments.profiles[0], *arguments.picture.window,
                format_value(Unit::kNanoseconds, subject.facts.duration));
  }
  return write_picture(arguments.picture.plot, memory_plot(subject, options));
}

Result<void> run_memory(const MemoryArguments& arguments) {
  PYROMETER_TRY(const MemoryReportOptions options, parse_options(arguments));
  PYROMETER_TRY(const std::vector<Path> paths, find_profiles(arguments.profiles));
  PYROMETER_TRY(const Profile profile, load_memory(paths, arguments));
  for (const std::string& note : profile.notes) print_error(note);
  PYROMETER_TRY(const MetricId metric, main_metric(profile));
  const Overview overview = make_overview(profile, metric);
  const MemorySubject subject = make_memory_subject(overview);
  PYROMETER_TRY_VOID(check_memory(subject, arguments));
  PYROMETER_TRY_VOID(draw_memory(subject, arguments, options));
  return write_to_stdout(arguments.json ? memory_json(subject, options)
                                        : memory_text(subject, options));
}

void add_views(CommandLine& line, CLI::App& command, MemoryArguments& arguments) {
  constexpr const char* kViews = "Views (default: the peak and its owners, growth, churn, lines)";
  CLI::Option* by =
      command
          .add_option("--by", arguments.by, "Who allocated: each line (default) or each function")
          ->type_name("line|function")
          ->group(kViews);
  allow_only(line, by, {"line", "function"});
  command.add_option("--rank", arguments.rank, "Only one rank, with processes that it started")
      ->type_name("N")
      ->check(check_not_negative)
      ->group(kViews);
  command.add_flag("--tree", arguments.tree, "The call paths that led to it")->group(kViews);
  command.add_option("--at", arguments.at, "What was live at a moment since the beginning")
      ->type_name("SECONDS")
      ->check(check_moment)
      ->group(kViews);
}

void add_rows(CommandLine& line, CLI::App& command, MemoryArguments& arguments) {
  add_row_options(line, command, arguments.rows, order_names(), "lines, functions and paths",
                  "peak");
  command
      .add_option("-f,--filter", arguments.keep,
                  "Only functions whose name or place matches; may be repeated")
      ->type_name("RE")
      ->allow_extra_args(false)
      ->group(kRowsGroup);
  command
      .add_option("-x,--exclude", arguments.drop,
                  "No functions whose name or place matches; may be repeated")
      ->type_name("RE")
      ->allow_extra_args(false)
      ->group(kRowsGroup);
}

}  // namespace

void add_memory_command(CommandLine& line) {
  auto arguments = std::make_shared<MemoryArguments>();
  CLI::App& command = *line.app.add_subcommand(
      "memory", "Who held the peak, what keeps growing, memory by line and over time");
  add_profiles(command, arguments->profiles);
  add_views(line, command, *arguments);
  add_picture_options(command, arguments->picture);
  add_rows(line, command, *arguments);
  command.add_flag("--json", arguments->json, "Everything as one JSON document");
  command.callback(
      [&line, arguments] { line.action = [arguments] { return run_memory(*arguments); }; });
}

}  // namespace pyrometer

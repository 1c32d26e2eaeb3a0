#include "analyze/main_metric.h"
#include "cli/command_line.h"
#include "cli/terminal.h"
#include "load/load.h"
#include "report/report.h"

namespace pyrometer {
namespace {

constexpr std::size_t kDefaultLimit = 20;

const std::map<std::string, SortKey> kSortKeys{
    {"self", SortKey::kSelf},        {"total", SortKey::kTotal},
    {"calls", SortKey::kCalls},      {"primitive-calls", SortKey::kPrimitiveCalls},
    {"per-call", SortKey::kPerCall}, {"name", SortKey::kName},
    {"file", SortKey::kFile},
};

// CLI11 would read a negative number of an unsigned type as a very large one.
std::string not_negative(const std::string& text) {
  return text.starts_with('-') ? "must be 0 or more" : "";
}

struct ReportArguments {
  std::vector<std::string> profiles;
  std::vector<std::string> keep, drop;
  std::string sort = "self";
  std::string metric;
  std::optional<std::size_t> limit;
  ReportOptions options;
  double least_percent = 0.5;
  bool json = false;
};

Result<void> run_report(ReportArguments& arguments) {
  ReportOptions& options = arguments.options;
  Selection& selection = options.selection;
  selection.sort = kSortKeys.at(arguments.sort);
  // For people a screenful, for programs everything; 0 means no limit.
  const std::size_t default_limit = arguments.json ? 0 : kDefaultLimit;
  const std::size_t limit = arguments.limit.value_or(default_limit);
  if (limit != 0) selection.limit = limit;
  for (const std::string& pattern : arguments.keep) {
    PYROMETER_TRY(Pattern parsed, Pattern::parse(pattern));
    selection.keep.push_back(std::move(parsed));
  }
  for (const std::string& pattern : arguments.drop) {
    PYROMETER_TRY(Pattern parsed, Pattern::parse(pattern));
    selection.drop.push_back(std::move(parsed));
  }
  options.least_share = arguments.least_percent / 100;
  options.use_color = use_color_on_stdout();

  ProgressLine progress;
  const Detail detail = options.threads ? Detail::kValues : Detail::kSummary;
  PYROMETER_TRY(const Profile profile,
                load_profile(as_paths(arguments.profiles), {detail, progress.listener()}));
  PYROMETER_TRY(const MetricId metric, arguments.metric.empty()
                                           ? main_metric(profile)
                                           : named_metric(profile, arguments.metric));
  const Overview overview = make_overview(profile, metric);
  return write_to_stdout(arguments.json ? report_json(overview, options)
                                        : report_text(overview, options));
}

}  // namespace

void add_report_command(CommandLine& line) {
  auto arguments = std::make_shared<ReportArguments>();
  CLI::App& command = *line.app.add_subcommand(
      "report", "Findings in words, then where the time goes: functions, lines, callers, trees");
  add_profiles(command, arguments->profiles);
  std::vector<std::string> keys;
  for (const auto& [name, key] : kSortKeys) keys.push_back(name);
  command
      .add_option("-s,--sort", arguments->sort,
                  fmt::format("Order of the rows: {} (default: self)", fmt::join(keys, ", ")))
      ->check(CLI::IsMember(keys).description(""))
      ->type_name("KEY");
  command
      .add_option("-n,--limit", arguments->limit,
                  "Rows to show, 0 for all (default: 20; all with --json)")
      ->check(not_negative)
      ->type_name("N");
  command
      .add_option("-f,--filter", arguments->keep,
                  "Only functions whose name or place matches; may be repeated")
      ->type_name("REGEX")
      ->allow_extra_args(false);
  command.add_option("-x,--exclude", arguments->drop, "No functions whose name or place matches")
      ->type_name("REGEX")
      ->allow_extra_args(false);
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
  command.add_flag("--json", arguments->json, "One JSON document instead of text");
  command.callback(
      [&line, arguments] { line.action = [arguments] { return run_report(*arguments); }; });
}

}  // namespace pyrometer

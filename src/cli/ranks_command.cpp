#include <fmt/ranges.h>

#include <algorithm>

#include "analyze/main_metric.h"
#include "cli/command_line.h"
#include "cli/rank_analysis.h"
#include "cli/report_arguments.h"
#include "cli/row_options.h"
#include "cli/terminal.h"
#include "load/load.h"
#include "report/ranks_report.h"

namespace pyrometer {
namespace {

constexpr RankOrder kOrders[] = {RankOrder::kCost, RankOrder::kImbalance, RankOrder::kMean,
                                 RankOrder::kMaximum, RankOrder::kDeviation};

struct RanksArguments {
  std::vector<std::string> profiles;
  std::vector<std::string> functions;
  RanksReportOptions options;  // as far as flags fill it in
  RowArguments rows{.order = "cost", .limit = {}};
  std::string metric;
  double least_percent = 0;
  bool json = false;
};

std::vector<std::string> order_names() {
  std::vector<std::string> names;
  for (const RankOrder order : kOrders) names.emplace_back(name_of(order));
  return names;
}

Result<RanksReportOptions> parse_options(const RanksArguments& arguments) {
  RanksReportOptions options = arguments.options;
  PYROMETER_TRY(const std::size_t order, find_order(arguments.rows.order, order_names()));
  options.order = kOrders[order];
  PYROMETER_TRY(options.functions, parse_patterns(arguments.functions));
  const bool shows_some = !arguments.json && options.functions.empty();
  options.limit = arguments.rows.limit.rows(shows_some ? kDefaultRows : 0);
  options.least_share = arguments.least_percent / 100;
  options.use_color = use_color_on_stdout();
  return options;
}

Result<void> check_ranks(const Profile& profile, const RanksArguments& arguments) {
  const auto has_rank = [](const Process& process) { return process.rank >= 0; };
  if (std::none_of(profile.processes.begin(), profile.processes.end(), has_rank)) {
    return fail(ErrorCode::kNotFound,
                "'{}' has no ranks: its processes were not started by mpirun, srun or another "
                "launcher; 'pyrometer report --processes' compares processes",
                arguments.profiles[0]);
  }
  if (!arguments.options.rank) return {};
  const std::int64_t wanted = *arguments.options.rank;
  const auto is_wanted = [wanted](const Process& process) { return process.rank == wanted; };
  if (std::any_of(profile.processes.begin(), profile.processes.end(), is_wanted)) return {};
  return fail(ErrorCode::kNotFound, "'{}' has no rank {}; 'pyrometer ranks --all' lists the ranks",
              arguments.profiles[0], wanted);
}

// Nothing: useful time.
Result<std::optional<MetricId>> find_metric(const Profile& profile, const std::string& name) {
  if (name.empty() || name == "useful") return std::nullopt;
  PYROMETER_TRY(const MetricId metric, named_metric(profile, name));
  if (profile.metrics[metric.row()].combine != Combine::kSum) {
    return fail(ErrorCode::kUsage,
                "'{}' does not add up over functions, so it cannot be compared over ranks", name);
  }
  return metric;
}

// Fills in the facts, unless only the values of all ranks can tell.
Result<void> find_facts(Overview& overview, const std::vector<Path>& paths,
                        std::optional<MetricId> metric) {
  if (!metric) return find_rank_facts(overview, paths);
  if (overview.profile.thread_cells.empty()) return {};
  overview.ranks = std::make_shared<const RankFacts>(make_rank_facts(overview.profile, metric));
  return {};
}

Result<std::string> report_of(const RanksArguments& arguments, const RanksReportOptions& options,
                              const Overview& overview) {
  if (!options.functions.empty() && select_rank_functions(overview, options).empty()) {
    return fail(ErrorCode::kNotFound, "no function that ranks spend time in matches {}",
                fmt::join(arguments.functions, " and "));
  }
  return arguments.json ? ranks_json(overview, options) : ranks_text(overview, options);
}

Result<std::string> report_ranks(const RanksArguments& arguments) {
  PYROMETER_TRY(const RanksReportOptions options, parse_options(arguments));
  PYROMETER_TRY(const std::vector<Path> paths, find_profiles(arguments.profiles));
  ProgressLine progress;
  // The summary of a merged file may have it all.
  for (const Detail detail : {Detail::kSummary, Detail::kValues}) {
    PYROMETER_TRY(const Profile profile, load_profile(paths, {detail, progress.listener()}));
    PYROMETER_TRY_VOID(check_ranks(profile, arguments));
    PYROMETER_TRY(const auto metric, find_metric(profile, arguments.metric));
    PYROMETER_TRY(const MetricId main, main_metric(profile));
    Overview overview = make_overview(profile, main);
    PYROMETER_TRY_VOID(find_facts(overview, paths, metric));
    if (overview.ranks) return report_of(arguments, options, overview);
  }
  return fail(ErrorCode::kNotFound, "'{}' holds no values of its ranks", arguments.profiles[0]);
}

Result<void> run_ranks(const RanksArguments& arguments) {
  PYROMETER_TRY(const std::string text, report_ranks(arguments));
  return write_to_stdout(text);
}

void add_views(CLI::App& command, RanksArguments& arguments) {
  constexpr const char* kViews =
      "Views (default: functions, MPI calls, the busiest and idlest ranks)";
  RanksReportOptions& options = arguments.options;
  command
      .add_option("--function", arguments.functions,
                  "Functions whose name or place matches, rank by rank; may be repeated")
      ->type_name("RE")
      ->allow_extra_args(false)
      ->group(kViews);
  command.add_option("--rank", options.rank, "The functions of one rank, the most expensive first")
      ->type_name("N")
      ->group(kViews);
  command.add_flag("--lines", options.lines, "Lines across ranks")->group(kViews);
  command.add_flag("--mpi", options.mpi, "Every line that calls MPI")->group(kViews);
  command.add_flag("--hosts", options.hosts, "The hosts")->group(kViews);
  command.add_flag("--all", options.all_ranks, "Every rank")->group(kViews);
}

void add_rows(CommandLine& line, CLI::App& command, RanksArguments& arguments) {
  add_row_options(line, command, arguments.rows, order_names(), "functions and lines",
                  "cost, the maximum beyond the mean");
  command
      .add_option("--min-share", arguments.least_percent,
                  "Leave out rows that take every rank less than this percentage of the job")
      ->type_name("PERCENT")
      ->check(CLI::Range(0.0, 100.0).description(""))
      ->group(kRowsGroup);
  command
      .add_option("-m,--metric", arguments.metric,
                  "What to compare: useful, the time on a CPU outside MPI (default), or wall, io, "
                  "mpi-time, ...")
      ->type_name("NAME")
      ->group(kRowsGroup);
}

}  // namespace

void add_ranks_command(CommandLine& line) {
  auto arguments = std::make_shared<RanksArguments>();
  CLI::App& command = *line.app.add_subcommand(
      "ranks", "The ranks of a parallel job: who is idle, what is uneven, who waits for whom");
  add_profiles(command, arguments->profiles);
  add_views(command, *arguments);
  add_rows(line, command, *arguments);
  command.add_flag("--json", arguments->json, "Everything as one JSON document");
  command.callback(
      [&line, arguments] { line.action = [arguments] { return run_ranks(*arguments); }; });
}

}  // namespace pyrometer

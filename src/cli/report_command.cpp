#include <fmt/ranges.h>

#include <algorithm>

#include "analyze/names.h"
#include "analyze/transform_focus.h"
#include "analyze/transform_fold.h"
#include "cli/report_arguments.h"
#include "cli/terminal.h"
#include "load/load.h"

namespace pyrometer {
namespace {

Result<void> check_format(const ReportArguments& arguments) {
  const std::string& format = arguments.format;
  if (!format.empty() && std::find(std::begin(kReportFormats), std::end(kReportFormats), format) ==
                             std::end(kReportFormats)) {
    return fail(ErrorCode::kUsage, "there is no format '{}'; choose one of {}", format,
                fmt::join(kReportFormats, ", "));
  }
  if (arguments.strip_directories && format != "pstats") {
    return fail(ErrorCode::kUsage,
                "--strip-dirs is of --format pstats; other reports have short "
                "file names anyway");
  }
  return {};
}

bool shows_paths(const ReportOptions& options) {
  return options.tree || options.bottom_up || options.callers || options.callees ||
         !options.sandwich.empty();
}

// Paths without wrappers, for the views that show paths. Other tables stay exact.
Result<std::optional<Folded>> fold_for(const ReportArguments& arguments,
                                       const ReportOptions& options, const Profile& profile,
                                       MetricId metric) {
  if (!shows_paths(options)) return std::nullopt;
  FoldRules rules{.wrappers = !arguments.no_fold};
  PYROMETER_TRY(rules.also, parse_patterns(arguments.fold));
  return fold_paths(profile, metric, rules);
}

ReportSubject::Folding folding_of(const Folded& folded) {
  ReportSubject::Folding folding{.frames = folded.frames, .is_estimated = folded.is_estimated};
  for (const FunctionId id : folded.functions) {
    const Function& function = folded.profile.functions[id.row()];
    folding.functions.emplace_back(display_name(folded.profile, function));
  }
  return folding;
}

Result<Profile> focus_for(const ReportArguments& arguments, const Profile& profile,
                          MetricId metric) {
  PYROMETER_TRY(const std::vector<Pattern> patterns, parse_patterns(arguments.focus));
  Profile focused = focus_on(profile, patterns);
  const auto& totals = focused.node_totals[metric.row()];
  if (std::all_of(totals.begin(), totals.end(), [](std::int64_t value) { return value == 0; })) {
    return fail(ErrorCode::kNotFound,
                "no call path goes through a function that matches {}; 'pyrometer report' without "
                "--focus lists the functions",
                fmt::join(arguments.focus, " and "));
  }
  return focused;
}

Result<std::string> report(const ReportArguments& arguments) {
  PYROMETER_TRY_VOID(check_format(arguments));
  if (arguments.format == "pstats") return report_as_pstats(arguments);
  const bool json = arguments.json || arguments.format == "json";
  PYROMETER_TRY(ReportOptions options, parse_report_options(arguments, json));
  PYROMETER_TRY_VOID(parse_patterns(arguments.focus));
  PYROMETER_TRY_VOID(parse_patterns(arguments.fold));
  if (!arguments.fold.empty() && !shows_paths(options)) {
    return fail(ErrorCode::kUsage,
                "--fold changes call paths; add --tree, --bottom-up, --callers, --callees or "
                "--sandwich to see them");
  }
  options.use_color = use_color_on_stdout();

  PYROMETER_TRY(const std::vector<Path> paths, find_profiles(arguments.profiles));
  ProgressLine progress;
  // What takes paths apart needs the values per thread.
  const bool needs_values = options.threads || !arguments.focus.empty() || !arguments.fold.empty();
  const Detail detail = needs_values ? Detail::kValues : Detail::kSummary;
  PYROMETER_TRY(Profile profile, load_profile(paths, {detail, progress.listener()}));
  // Then it is counters over time that there may be, which a merged file's summary leaves out.
  if (profile.nodes.empty() && profile.flat_values.empty() && profile.line_values.empty()) {
    PYROMETER_TRY(profile, load_profile(paths, {Detail::kEverything, progress.listener()}));
  }
  PYROMETER_TRY(const ChosenMetric chosen, choose_metric(arguments, profile));
  std::int64_t whole = 0;
  if (!arguments.focus.empty()) {
    whole = make_overview(profile, chosen.metric).total;
    PYROMETER_TRY(profile, focus_for(arguments, profile, chosen.metric));
  }
  const Overview overview = make_overview(profile, chosen.metric);
  PYROMETER_TRY(const std::optional<Folded> folded,
                fold_for(arguments, options, profile, chosen.metric));
  std::optional<Overview> of_paths;
  if (folded) of_paths.emplace(make_overview(folded->profile, chosen.metric));
  const ReportSubject subject{
      .overview = overview,
      .paths = folded ? &*of_paths : nullptr,
      .folding = folded ? folding_of(*folded) : ReportSubject::Folding{},
      .focus = fmt::format("{}", fmt::join(arguments.focus, " and ")),
      .whole = whole,
      .metric_words = chosen.words,
  };
  return json ? report_json(subject, options) : report_text(subject, options);
}

Result<void> run_report(const ReportArguments& arguments) {
  PYROMETER_TRY(const std::string text, report(arguments));
  return write_to_stdout(text);
}

}  // namespace

void add_report_command(CommandLine& line) {
  auto arguments = std::make_shared<ReportArguments>();
  CLI::App& command = *line.app.add_subcommand(
      "report", "Findings in words, then where the time goes: functions, lines, callers, trees");
  add_profiles(command, arguments->profiles);
  add_report_options(line, command, *arguments);
  command.callback(
      [&line, arguments] { line.action = [arguments] { return run_report(*arguments); }; });
}

}  // namespace pyrometer

#include <fmt/ranges.h>

#include <algorithm>

#include "analyze/names.h"
#include "analyze/region_table.h"
#include "cli/rank_analysis.h"
#include "cli/rank_parts.h"
#include "cli/report_paths.h"
#include "cli/terminal.h"
#include "cli/with_regions.h"
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

ReportSubject::Folding folding_of(const Folded& folded) {
  ReportSubject::Folding folding{.frames = folded.frames, .is_estimated = folded.is_estimated};
  for (const FunctionId id : folded.functions) {
    const Function& function = folded.profile.functions[id.row()];
    folding.functions.emplace_back(display_name(folded.profile, function));
  }
  return folding;
}

struct ReportRequest {
  const ReportArguments& arguments;
  ReportOptions options;
  bool json = false;
};

Result<ReportRequest> make_request(const ReportArguments& arguments) {
  const bool json = arguments.json || arguments.format == "json";
  PYROMETER_TRY(ReportOptions options, parse_report_options(arguments, json));
  PYROMETER_TRY_VOID(parse_patterns(arguments.focus));
  PYROMETER_TRY_VOID(parse_patterns(arguments.fold));
  if (!arguments.fold.empty() && !shows_paths(options)) {
    return fail(ErrorCode::kUsage,
                "--fold changes call paths; add --tree, --bottom-up, --callers, --callees or "
                "--sandwich to see them");
  }
  if (arguments.with_regions && !shows_paths(options)) {
    return fail(ErrorCode::kUsage,
                "--with-regions puts regions into call paths; add --tree, --bottom-up, --callers, "
                "--callees or --sandwich to see them, or --regions for their table");
  }
  options.use_color = arguments.output.empty() && use_color_on_stdout();
  return ReportRequest{.arguments = arguments, .options = std::move(options), .json = json};
}

// `paths` are the files of the profile, where it is all of them.
Result<std::string> report_of(const ReportRequest& request, const Profile& profile,
                              std::span<const Path> paths) {
  const ReportArguments& arguments = request.arguments;
  PYROMETER_TRY(const ChosenMetric chosen, choose_metric(arguments, profile));
  PYROMETER_TRY(const std::optional<Profile> part,
                narrow_profile(arguments, profile, chosen.metric));
  const std::int64_t whole = part ? make_overview(profile, chosen.metric).total : 0;
  const Profile& shown = part ? *part : profile;
  Overview overview = make_overview(shown, chosen.metric);
  // A report without them is better than none.
  if (const auto found = find_rank_facts(overview, paths); !found)
    print_error(found.error().message);
  ReportPaths paths_shown;
  if (shows_paths(request.options)) {
    PYROMETER_TRY(paths_shown, make_report_paths(arguments, profile, shown, chosen.metric));
  }
  std::optional<Overview> of_paths;
  if (paths_shown.profile() != nullptr) {
    of_paths.emplace(make_overview(*paths_shown.profile(), chosen.metric));
  }
  const auto& folded = paths_shown.folded;
  const ReportSubject subject{
      .overview = overview,
      .paths = of_paths ? &*of_paths : nullptr,
      .folding = folded ? folding_of(*folded) : ReportSubject::Folding{},
      .focus = fmt::format("{}", fmt::join(arguments.focus, " and ")),
      .region = arguments.region,
      .left_out = arguments.region.empty() ? regions_left_out(profile)
                                           : region_left_out(profile, arguments.region),
      .whole = whole,
      .metric_words = chosen.words,
  };
  return request.json ? report_json(subject, request.options)
                      : report_text(subject, request.options);
}

Result<std::string> report(const ReportArguments& arguments) {
  if (arguments.format == "pstats") return report_as_pstats(arguments);
  PYROMETER_TRY(const ReportRequest request, make_request(arguments));
  PYROMETER_TRY(const std::vector<Path> paths, find_profiles(arguments.profiles));
  ProgressLine progress;
  // What takes paths apart needs the values per thread.
  const bool needs_values =
      request.options.threads || !arguments.focus.empty() || !arguments.fold.empty();
  const Detail detail =
      detail_with_regions(arguments.with_regions, !arguments.region.empty() ? Detail::kEverything
                                                  : needs_values            ? Detail::kValues
                                                                            : Detail::kSummary);
  PYROMETER_TRY(Profile profile, load_profile(paths, {detail, progress.listener()}));
  // Then it is counters over time that there may be, which a merged file's summary leaves out.
  if (profile.nodes.empty() && profile.flat_values.empty() && profile.line_values.empty()) {
    PYROMETER_TRY(profile, load_profile(paths, {Detail::kEverything, progress.listener()}));
  }
  return report_of(request, profile, paths);
}

Result<void> report_per_rank(const ReportArguments& arguments) {
  if (arguments.format == "pstats") {
    return fail(ErrorCode::kUsage,
                "--per-rank has no --format pstats; write profiles with 'pyrometer export --format "
                "pstats -o cpu_%r.prof' and report on those");
  }
  if (!names_rank(arguments.output)) {
    return fail(ErrorCode::kUsage,
                "--per-rank writes several files; name them, as with -o 'cpu_%r.txt'");
  }
  PYROMETER_TRY_VOID(make_request(arguments));
  PYROMETER_TRY(const std::vector<Path> paths, find_profiles(arguments.profiles));
  ProgressLine progress;
  const Detail detail = detail_with_regions(
      arguments.with_regions, arguments.region.empty() ? Detail::kValues : Detail::kEverything);
  return for_each_rank(paths, arguments.output, {detail, progress.listener()},
                       [&](const Profile& part, const std::string& name) -> Result<void> {
                         ReportArguments of_rank = arguments;
                         if (part.regions.empty()) of_rank.with_regions = false;
                         PYROMETER_TRY(const ReportRequest request, make_request(of_rank));
                         PYROMETER_TRY(const std::string text, report_of(request, part, {}));
                         return write_file(name, text);
                       });
}

Result<void> run_report(const ReportArguments& arguments) {
  PYROMETER_TRY_VOID(check_format(arguments));
  if (arguments.per_rank || names_rank(arguments.output)) return report_per_rank(arguments);
  PYROMETER_TRY(const std::string text, report(arguments));
  const bool to_stdout = arguments.output.empty() || arguments.output == kStandardStream;
  return to_stdout ? write_to_stdout(text) : write_file(arguments.output, text);
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

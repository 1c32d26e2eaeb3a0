// `pyrometer report --format pstats`: what pstats would print of the same files.
#include "cli/command_line.h"
#include "cli/pstats_inputs.h"
#include "cli/report_arguments.h"
#include "cli/terminal.h"
#include "report/pstats_text.h"

namespace pyrometer {
namespace {

// What pstats has no words for is refused rather than left out in silence.
Result<void> check_words(const ReportArguments& arguments) {
  const ReportOptions& options = arguments.options;
  const std::pair<const char*, bool> others[] = {
      {"--json", arguments.json},
      {"--by", !arguments.group_by.empty()},
      {"--sandwich", !arguments.sandwich.empty()},
      {"--lines", options.lines},
      {"--loops", options.loops},
      {"--tree", options.tree},
      {"--bottom-up", options.bottom_up},
      {"--threads", options.threads},
      {"--processes", options.processes},
      {"--filter-function", !arguments.keep_function.empty()},
      {"--filter-file", !arguments.keep_file.empty()},
      {"--filter-module", !arguments.keep_module.empty()},
      {"--exclude", !arguments.drop.empty()},
      {"--exclude-function", !arguments.drop_function.empty()},
      {"--exclude-file", !arguments.drop_file.empty()},
      {"--exclude-module", !arguments.drop_module.empty()},
      {"--focus", !arguments.focus.empty()},
      {"--region", !arguments.region.empty()},
      {"--regions", arguments.options.regions},
      {"--tasks", arguments.options.tasks},
      {"--with-regions", arguments.with_regions},
      {"--fold", !arguments.fold.empty()},
      {"--min-share", arguments.least_percent.has_value()},
      {"--gil", arguments.gil},
      {"--idle", arguments.idle},
      {"--no-idle", arguments.no_idle},
  };
  for (const auto& [word, is_given] : others) {
    if (!is_given) continue;
    return fail(ErrorCode::kUsage, "pstats has nothing like {}; leave out that or --format pstats",
                word);
  }
  if (!arguments.keep.empty()) {
    return fail(ErrorCode::kUsage,
                "pstats filters by --restrict {}; write that in place of --filter",
                arguments.keep.front());
  }
  return {};
}

Result<PstatsSelection> parse_selection(const ReportArguments& arguments) {
  PstatsSelection selection;
  PYROMETER_TRY(selection.order, parse_sort_order(arguments.sort));
  for (const SortKey key : selection.order.keys) {
    if (key != SortKey::kPerCall) continue;
    return fail(ErrorCode::kUsage, "pstats does not sort by time per call; choose another --sort");
  }
  selection.reverse = arguments.reverse;
  PYROMETER_TRY(selection.restrictions, parse_restrictions(arguments.restrictions));
  if (const auto limit = arguments.limit.rows(0)) {
    PYROMETER_TRY(Restriction last, Restriction::parse(std::to_string(*limit)));
    selection.restrictions.push_back(std::move(last));
  }
  return selection;
}

}  // namespace

Result<std::string> report_as_pstats(const ReportArguments& arguments) {
  PYROMETER_TRY_VOID(check_words(arguments));
  PYROMETER_TRY(const PstatsSelection selection, parse_selection(arguments));
  PYROMETER_TRY(const std::vector<Path> paths, find_profiles(arguments.profiles));
  ProgressLine progress;
  PYROMETER_TRY(PstatsInputs inputs, load_as_pstats(paths, arguments.metric, progress.listener()));
  for (const std::string& note : inputs.notes) print_error(note);
  PstatsFile& file = inputs.sum.file;
  if (arguments.strip_directories) file = strip_directories(file);
  if (!arguments.options.callers && !arguments.options.callees) {
    return pstats_functions_text(inputs.sources, inputs.sum, selection);
  }
  std::string text;
  if (arguments.options.callers) {
    PYROMETER_TRY(text, pstats_callers_text(file, selection));
  }
  if (arguments.options.callees) {
    PYROMETER_TRY(const std::string callees, pstats_callees_text(file, selection));
    text += callees;
  }
  return text;
}

}  // namespace pyrometer

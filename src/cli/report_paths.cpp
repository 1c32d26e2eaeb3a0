#include "cli/report_paths.h"

#include <fmt/ranges.h>

#include <algorithm>

#include "analyze/transform_focus.h"
#include "analyze/transform_region.h"
#include "analyze/transform_with_regions.h"

namespace pyrometer {
namespace {

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

Result<Profile> region_for(const std::string& name, const Profile& profile) {
  PYROMETER_TRY(const StringId region, find_region(profile, name));
  return keep_region(profile, region);
}

}  // namespace

bool shows_paths(const ReportOptions& options) {
  return options.tree || options.bottom_up || options.callers || options.callees ||
         !options.sandwich.empty();
}

Result<std::optional<Profile>> narrow_profile(const ReportArguments& arguments,
                                              const Profile& profile, MetricId metric) {
  std::optional<Profile> part;
  if (!arguments.region.empty()) {
    PYROMETER_TRY(part, region_for(arguments.region, profile));
  }
  if (!arguments.focus.empty()) {
    PYROMETER_TRY(part, focus_for(arguments, part ? *part : profile, metric));
  }
  return part;
}

Result<ReportPaths> make_report_paths(const ReportArguments& arguments, const Profile& profile,
                                      const Profile& narrowed, MetricId metric) {
  ReportPaths paths;
  if (arguments.with_regions) {
    // Samples tell which regions were open, so regions come first.
    PYROMETER_TRY(paths.with_regions, with_regions(profile));
    PYROMETER_TRY(std::optional<Profile> part,
                  narrow_profile(arguments, *paths.with_regions, metric));
    if (part) paths.with_regions = std::move(part);
  }
  FoldRules rules{.wrappers = !arguments.no_fold};
  PYROMETER_TRY(rules.also, parse_patterns(arguments.fold));
  PYROMETER_TRY(paths.folded,
                fold_paths(paths.with_regions ? *paths.with_regions : narrowed, metric, rules));
  return paths;
}

}  // namespace pyrometer

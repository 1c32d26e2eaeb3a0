// What the options of `pyrometer report` that are about call paths make of a profile.
#pragma once

#include <optional>

#include "analyze/transform_fold.h"
#include "cli/report_arguments.h"

namespace pyrometer {

// Whether any view shows call paths.
bool shows_paths(const ReportOptions& options);

// What --region and --focus leave of it; nothing: all.
Result<std::optional<Profile>> narrow_profile(const ReportArguments& arguments,
                                              const Profile& profile, MetricId metric);

// The call paths as trees, callers and callees show them. Other tables stay exact.
struct ReportPaths {
  std::optional<Profile> with_regions;
  std::optional<Folded> folded;

  // Null: those of the profile itself.
  const Profile* profile() const {
    if (folded) return &folded->profile;
    return with_regions ? &*with_regions : nullptr;
  }
};
// `narrowed` is what narrow_profile() left of `profile`.
Result<ReportPaths> make_report_paths(const ReportArguments& arguments, const Profile& profile,
                                      const Profile& narrowed, MetricId metric);

}  // namespace pyrometer

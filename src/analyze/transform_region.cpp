#include "analyze/transform_region.h"

#include <fmt/ranges.h>

#include <cmath>
#include <set>

#include "analyze/time_windows.h"
#include "analyze/transform_nodes.h"
#include "base/printable.h"
#include "profile/totals.h"
#include "profile/value_rows.h"

namespace pyrometer {
namespace {

void add_track(const TimeTrack& track, const TimeWindows& windows,
               const std::vector<Metric>& metrics, ValueRows& rows) {
  std::optional<MetricId> samples;
  for (std::size_t i = 0; i < metrics.size(); ++i) {
    if (is_count_of_samples(track, metrics[i])) samples = MetricId::from_index(i);
  }
  for_each_part(track, windows,
                [&](NodeId node, double part, std::span<const std::int64_t> values) {
                  ValueRows::Row row = rows.row(node);
                  for (std::size_t i = 0; i < track.metrics.size(); ++i) {
                    const Combine combine = metrics[track.metrics[i].row()].combine;
                    std::int64_t& value = row[track.metrics[i]];
                    value = combined(combine, value, share_of(values[i], part));
                  }
                  if (samples && !column_of(track, *samples)) ++row[*samples];
                });
}

}  // namespace

Result<StringId> find_region(const Profile& profile, std::string_view name) {
  constexpr std::size_t kMostNamed = 10;
  std::set<std::string_view> names;
  for (const Region& region : profile.regions) {
    if (profile.text(region.name) == name) return region.name;
    const bool is_mark = region.duration == 0;
    if (!is_mark && names.size() <= kMostNamed) names.insert(profile.text(region.name));
  }
  const bool are_all_named = names.size() <= kMostNamed;
  if (!are_all_named) names.erase(std::prev(names.end()));
  return fail(ErrorCode::kNotFound, "this profile has no region '{}'{}", printable(name),
              names.empty() ? "; pyrometer.timed_region(\"name\") makes regions"
                            : fmt::format("; it has {}{}",
                                          printable(fmt::format("{}", fmt::join(names, ", "))),
                                          are_all_named ? "" : ", ..."));
}

Result<void> check_has_time(const Profile& profile) {
  if (!profile.samples.empty() || !profile.calls.empty()) return {};
  return fail(ErrorCode::kUnsupported,
              "This profile does not tell what happened when; open the run directory of 'pyrometer "
              "run', which keeps samples in time.");
}

Result<Profile> keep_region(const Profile& profile, StringId region) {
  PYROMETER_TRY_VOID(check_has_time(profile));
  Profile kept =
      transform_nodes(profile, std::vector<NodeFate>(profile.nodes.size(), NodeFate::kKeep));
  kept.line_values.clear();
  kept.flat_values.clear();
  std::vector<ValueRows> rows(kept.threads.size());
  const ProfileClock clock(kept);
  const ViewScope scope{.region = region};
  for (const TimeTrack& track : make_time_tracks(kept)) {
    const TimeWindows windows(kept, clock, scope, track.thread);
    if (!windows.is_empty()) add_track(track, windows, kept.metrics, rows[track.thread.row()]);
  }
  kept.thread_cells.clear();
  for (const ValueRows& of_thread : rows) {
    kept.thread_cells.push_back(of_thread.cells(kept.metrics.size()));
  }
  compute_totals(kept);
  return kept;
}

}  // namespace pyrometer

#include "serve/scope.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "analyze/time_windows.h"
#include "analyze/transform_region.h"
#include "profile/value_rows.h"

namespace pyrometer {
namespace {

constexpr double kNanoseconds = 1e9;
constexpr double kLongest = 1e9;  // seconds; longer ago than any process runs

Result<std::int64_t> parse_seconds(std::string_view name, std::string_view text) {
  double seconds = 0;
  const char* end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, seconds);
  if (parsed.ec != std::errc() || parsed.ptr != end || !(std::abs(seconds) <= kLongest)) {
    return fail(ErrorCode::kUsage, "'{}' must be a time in seconds.", name);
  }
  return std::llround(seconds * kNanoseconds);
}

Result<std::size_t> parse_row(std::string_view text, std::size_t count) {
  std::size_t row = 0;
  const char* end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, row);
  if (parsed.ec != std::errc() || parsed.ptr != end || row >= count) {
    return fail(ErrorCode::kUsage, "There is no row '{}'; this table has {}.", text, count);
  }
  return row;
}

void add_cells(const Profile& profile, const ViewScope& scope, MetricId metric,
               NodeValues& values) {
  const Combine combine = profile.metrics[metric.row()].combine;
  for (std::size_t thread = 0; thread < profile.thread_cells.size(); ++thread) {
    if (!scope.has(ThreadId::from_index(thread))) continue;
    for (const Cell& cell : profile.thread_cells[thread][metric.row()]) {
      std::int64_t& value = values[cell.node.row()];
      value = combined(combine, value, cell.value);
    }
  }
}

// A column of the track and where its values go.
struct Target {
  std::optional<std::size_t> column;  // none: samples are counted
  Combine combine = Combine::kSum;
  NodeValues* values = nullptr;
};

Result<void> check_metrics_in_time(const Profile& profile, const std::vector<TimeTrack>& tracks,
                                   std::span<const MetricId> metrics) {
  for (const MetricId id : metrics) {
    const Metric& metric = profile.metrics[id.row()];
    const bool is_known = std::any_of(tracks.begin(), tracks.end(), [&](const TimeTrack& track) {
      return column_of(track, id) || is_count_of_samples(track, metric);
    });
    if (is_known) continue;
    return fail(ErrorCode::kUnsupported, "This profile knows '{}' only for the whole run.",
                metric.name);
  }
  return {};
}

void add_track(const TimeTrack& track, const TimeWindows& windows,
               const std::vector<Target>& targets) {
  for_each_part(
      track, windows, [&](NodeId node, double part, std::span<const std::int64_t> values) {
        for (const Target& target : targets) {
          const std::int64_t value = target.column ? share_of(values[*target.column], part) : 1;
          std::int64_t& sum = (*target.values)[node.row()];
          sum = combined(target.combine, sum, value);
        }
      });
}

}  // namespace

bool has_scope(const Request& request) {
  constexpr std::string_view kNames[] = {"processes", "threads", "from", "to", "region"};
  return std::any_of(std::begin(kNames), std::end(kNames),
                     [&](std::string_view name) { return request.parameter(name).has_value(); });
}

Result<std::vector<bool>> parse_rows(std::string_view text, std::size_t count) {
  std::vector<bool> rows(count);
  for (;;) {
    const std::size_t comma = text.find(',');
    const std::string_view piece = text.substr(0, comma);
    const std::size_t dash = piece.find('-');
    PYROMETER_TRY(const std::size_t first, parse_row(piece.substr(0, dash), count));
    std::size_t last = first;
    if (dash != std::string_view::npos) {
      PYROMETER_TRY(last, parse_row(piece.substr(dash + 1), count));
    }
    for (std::size_t row = first; row <= last; ++row) rows[row] = true;
    if (comma == std::string_view::npos) return rows;
    text.remove_prefix(comma + 1);
  }
}

Result<ViewScope> parse_scope(const Request& request, const Profile& profile) {
  ViewScope scope;
  if (const auto text = request.parameter("threads")) {
    PYROMETER_TRY(scope.threads, parse_rows(*text, profile.threads.size()));
  }
  if (const auto text = request.parameter("processes")) {
    PYROMETER_TRY(const std::vector<bool> processes, parse_rows(*text, profile.processes.size()));
    if (scope.threads.empty()) scope.threads.assign(profile.threads.size(), true);
    for (std::size_t i = 0; i < profile.threads.size(); ++i) {
      if (!processes[profile.threads[i].process.row()]) scope.threads[i] = false;
    }
  }
  if (const auto text = request.parameter("from")) {
    PYROMETER_TRY(scope.from, parse_seconds("from", *text));
  }
  if (const auto text = request.parameter("to")) {
    PYROMETER_TRY(scope.to, parse_seconds("to", *text));
  }
  if (const auto text = request.parameter("region")) {
    PYROMETER_TRY(scope.region, find_region(profile, *text));
  }
  return scope;
}

Result<std::vector<NodeValues>> values_in_scope(const Profile& profile, const ViewScope& scope,
                                                std::span<const MetricId> metrics) {
  std::vector<NodeValues> all;
  if (scope.is_everything()) {
    for (const MetricId metric : metrics) all.push_back(profile.node_totals[metric.row()]);
    return all;
  }
  all.assign(metrics.size(), NodeValues(profile.nodes.size()));
  if (!scope.is_in_time()) {
    for (std::size_t i = 0; i < metrics.size(); ++i) add_cells(profile, scope, metrics[i], all[i]);
    return all;
  }
  PYROMETER_TRY_VOID(check_has_time(profile));
  const std::vector<TimeTrack> tracks = make_time_tracks(profile);
  PYROMETER_TRY_VOID(check_metrics_in_time(profile, tracks, metrics));
  const ProfileClock clock(profile);
  for (const TimeTrack& track : tracks) {
    if (!scope.has(track.thread)) continue;
    const TimeWindows windows(profile, clock, scope, track.thread);
    if (windows.is_empty()) continue;
    std::vector<Target> targets;
    for (std::size_t i = 0; i < metrics.size(); ++i) {
      const Metric& metric = profile.metrics[metrics[i].row()];
      const auto column = column_of(track, metrics[i]);
      if (column || is_count_of_samples(track, metric)) {
        targets.push_back({column, metric.combine, &all[i]});
      }
    }
    add_track(track, windows, targets);
  }
  return all;
}

}  // namespace pyrometer

// One thread in time order: where it was when, neighbours at the same position joined.
#include <algorithm>

#include "analyze/time_tracks.h"
#include "analyze/time_windows.h"
#include "analyze/transform_region.h"
#include "serve/answers.h"
#include "serve/columns.h"
#include "serve/scope.h"

namespace pyrometer {
namespace {

constexpr double kSecond = 1e9;
constexpr std::int64_t kSmallGap = 1'000'000;  // ns between neighbours that are still joined

struct Joined {
  std::vector<double> begins, ends;
  std::vector<std::uint32_t> rows;
  std::vector<std::vector<double>> weights;  // by metric
};

void add_track(const TimeTrack& track, const TimeWindows& windows, std::int64_t offset,
               const NodeOrder& order, std::span<const MetricId> metrics, Joined& out) {
  std::vector<std::optional<std::size_t>> columns;
  for (const MetricId metric : metrics) columns.push_back(column_of(track, metric));
  std::int64_t last_end = INT64_MIN;
  const auto visit = [&](std::int64_t begin, std::int64_t end, NodeId node,
                         std::span<const std::int64_t> values) {
    const double part = windows.part_inside(begin, end);
    if (part <= 0) return;
    const std::uint32_t row = order.rows[node.row()];
    const bool is_next =
        last_end != INT64_MIN && out.rows.back() == row && begin <= last_end + kSmallGap;
    if (!is_next) {
      out.rows.push_back(row);
      out.begins.push_back(static_cast<double>(begin + offset) / kSecond);
      out.ends.push_back(0);
      for (auto& weights : out.weights) weights.push_back(0);
    }
    last_end = end;
    out.ends.back() = static_cast<double>(end + offset) / kSecond;
    for (std::size_t i = 0; i < columns.size(); ++i) {
      if (columns[i]) out.weights[i].back() += part * static_cast<double>(values[*columns[i]]);
    }
  };
  for_each_stretch(track, visit);
}

}  // namespace

Result<Answer> answer_samples(const ViewedProfile& viewed, const Request& request) {
  PYROMETER_TRY(const std::vector<MetricId> metrics, metrics_of(viewed, request));
  PYROMETER_TRY(const Profile* profile, viewed.whole());
  PYROMETER_TRY_VOID(check_has_time(*profile));
  PYROMETER_TRY(ViewScope scope, parse_scope(request, *profile));
  const auto count = static_cast<std::uint32_t>(profile->threads.size());
  PYROMETER_TRY(const std::uint32_t row, request.number("thread", 0, 0xffffffffU));
  if (row >= count) return fail(ErrorCode::kNotFound, "This profile has no thread {}.", row);
  const ThreadId thread(row);
  const ProfileClock clock(*profile);
  const TimeWindows windows(*profile, clock, scope, thread);
  Joined joined;
  joined.weights.resize(metrics.size());
  for (const TimeTrack& track : make_time_tracks(*profile)) {
    if (track.thread != thread || windows.is_empty()) continue;
    add_track(track, windows, clock.offset(*profile, thread), viewed.order(), metrics, joined);
  }
  ColumnsWriter out(request.is_packed);
  out.add("time", std::span<const double>(joined.begins));
  out.add("end", std::span<const double>(joined.ends));
  out.add("node", std::span<const std::uint32_t>(joined.rows));
  for (std::size_t i = 0; i < metrics.size(); ++i) {
    out.add("weight:" + profile->metrics[metrics[i].row()].name,
            std::span<const double>(joined.weights[i]));
  }
  return Answer{out.take(), kBinaryType};
}

}  // namespace pyrometer

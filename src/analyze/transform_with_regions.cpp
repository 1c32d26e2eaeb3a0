#include "analyze/transform_with_regions.h"

#include <algorithm>

#include "analyze/open_regions.h"
#include "analyze/region_paths.h"
#include "analyze/time_windows.h"
#include "analyze/transform_nodes.h"
#include "profile/totals.h"
#include "profile/value_rows.h"

namespace pyrometer {
namespace {

bool has_opener(const Region& region) { return region.duration > 0 && !region.opener.is_none(); }

// Moves the values of one thread's samples to where they were seen.
class SampleMover {
 public:
  SampleMover(const Profile& from, const TimeTrack& track, const OpenRegions& open,
              RegionPaths& paths, ValueRows& rows)
      : from_(from),
        track_(track),
        open_(open),
        paths_(paths),
        rows_(rows),
        moved_(track.thread, track.metrics) {
    if (const auto cpu = from.find_metric(metric::kCpu)) cpu_ = column_of(track, *cpu);
    const auto samples = from.find_metric(metric::kSamples);
    if (samples && !column_of(track, *samples)) samples_ = samples;
  }

  SampleTrack run() {
    for_each_stretch(track_, [&](std::int64_t begin, std::int64_t end, NodeId node,
                                 std::span<const std::int64_t> values) {
      if (begin >= end || was_running(values)) {
        move(end, node, open_.chain_at(end), values, true);
      } else {
        divide(begin, end, node, values);
      }
    });
    return std::move(moved_);
  }

 private:
  // Then the stack was seen at the end of the stretch, and stands for all of it. That of a wait was
  // seen earlier: its time is divided.
  bool was_running(std::span<const std::int64_t> values) const {
    return cpu_ && track_.duration && 2 * values[*cpu_] >= values[*track_.duration];
  }

  void divide(std::int64_t begin, std::int64_t end, NodeId node,
              std::span<const std::int64_t> values) {
    std::vector<std::int64_t> done(values.size());
    std::vector<std::int64_t> part(values.size());
    open_.for_each_piece(begin, end, [&](std::int64_t until, std::uint32_t chain) {
      const double share = static_cast<double>(until - begin) / static_cast<double>(end - begin);
      for (std::size_t i = 0; i < values.size(); ++i) {
        const std::int64_t so_far = share_of(values[i], share);
        part[i] = so_far - done[i];
        done[i] = so_far;
      }
      move(until, node, chain, part, until == end);
    });
  }

  void move(std::int64_t time, NodeId node, std::uint32_t chain,
            std::span<const std::int64_t> values, bool counts_as_sample) {
    const NodeId inside = paths_.inside(node, chain);
    moved_.append(time, inside, values);
    if (inside == node) return;
    const auto transfer = [&](MetricId metric, std::int64_t value) {
      rows_.row(node)[metric] -= value;
      rows_.row(inside)[metric] += value;
    };
    for (std::size_t i = 0; i < values.size(); ++i) {
      const MetricId metric = track_.metrics[i];
      if (from_.metrics[metric.row()].combine == Combine::kSum) transfer(metric, values[i]);
    }
    if (samples_ && counts_as_sample) transfer(*samples_, 1);
  }

  const Profile& from_;
  const TimeTrack& track_;
  const OpenRegions& open_;
  RegionPaths& paths_;
  ValueRows& rows_;
  SampleTrack moved_;
  std::optional<std::size_t> cpu_;
  std::optional<MetricId> samples_;  // where each sample counts one
};

ValueRows rows_of(const ThreadCells& cells) {
  ValueRows rows;
  for (std::size_t metric = 0; metric < cells.size(); ++metric) {
    for (const Cell& cell : cells[metric]) {
      rows.row(cell.node)[MetricId::from_index(metric)] = cell.value;
    }
  }
  return rows;
}

// Without positions that have no value any more, nor anything below them.
Profile without_empty_paths(const Profile& profile) {
  std::vector<NodeFate> fates(profile.nodes.size(), NodeFate::kDrop);
  const auto keep = [&](NodeId node) { fates[node.row()] = NodeFate::kKeep; };
  for (const auto& totals : profile.node_totals) {
    for (std::size_t i = 0; i < totals.size(); ++i) {
      if (totals[i] != 0) keep(NodeId::from_index(i));
    }
  }
  for (const CallTrack& track : profile.calls) {
    for (const CallTrack::Call& call : track.calls) keep(call.node);
  }
  for (const LiveTrack& track : profile.live_tracks) keep(track.node);
  for (std::size_t i = profile.nodes.size(); i-- > 0;) {
    const NodeId parent = profile.nodes[i].parent;
    if (fates[i] == NodeFate::kKeep && !parent.is_none()) keep(parent);
  }
  return transform_nodes(profile, fates);
}

}  // namespace

bool can_show_regions_in_paths(const Profile& profile) {
  return !profile.samples.empty() &&
         std::any_of(profile.regions.begin(), profile.regions.end(), has_opener);
}

Result<Profile> with_regions(const Profile& profile) {
  if (profile.regions.empty()) {
    return fail(ErrorCode::kNotFound,
                "this profile has no regions; pyrometer.timed_region(\"name\") makes regions");
  }
  if (!can_show_regions_in_paths(profile)) {
    return fail(
        ErrorCode::kUnsupported,
        "this profile does not tell in which functions its regions began; the run directory "
        "of 'pyrometer run' does, but no merged file, and nothing that --exact records");
  }
  RegionPaths paths(profile);
  std::vector<ValueRows> rows;
  for (const ThreadCells& cells : profile.thread_cells) rows.push_back(rows_of(cells));
  rows.resize(profile.threads.size());
  std::vector<std::vector<Region>> regions(profile.threads.size());
  for (const Region& region : profile.regions) {
    if (has_opener(region)) regions[region.thread.row()].push_back(region);
  }
  std::vector<SampleTrack> samples;
  for (const TimeTrack& track : make_time_tracks(profile)) {
    const std::size_t thread = track.thread.row();
    const OpenRegions open(regions[thread], paths.chains());
    samples.push_back(SampleMover(profile, track, open, paths, rows[thread]).run());
  }
  Profile with = paths.take();
  with.samples = std::move(samples);
  with.calls = profile.calls;
  with.live_tracks = profile.live_tracks;
  for (const ValueRows& of_thread : rows) {
    with.thread_cells.push_back(of_thread.cells(with.metrics.size()));
  }
  compute_totals(with);
  return without_empty_paths(with);
}

}  // namespace pyrometer

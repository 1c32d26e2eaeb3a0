#include "export/thread_samples.h"

#include <fmt/format.h>

#include <algorithm>

namespace pyrometer {
namespace {

// The samples of all the thread's tracks; a track whose metrics lack ours weighs nothing.
std::vector<WeightedPosition> recorded_samples(const Overview& overview, ThreadId thread) {
  std::vector<WeightedPosition> positions;
  for (const SampleTrack& track : overview.profile.samples) {
    const auto& metrics = track.metrics();
    const auto found = std::find(metrics.begin(), metrics.end(), overview.metric);
    if (track.thread() != thread || found == metrics.end()) continue;
    const auto column = static_cast<std::size_t>(found - metrics.begin());
    track.for_each([&](std::int64_t time, NodeId node, std::span<const std::int64_t> values) {
      if (values[column] > 0) positions.push_back({time, values[column], node});
    });
  }
  std::stable_sort(positions.begin(), positions.end(),
                   [](const auto& a, const auto& b) { return a.time < b.time; });
  return positions;
}

std::int64_t total_weight(const std::vector<WeightedPosition>& positions) {
  std::int64_t total = 0;
  for (const WeightedPosition& position : positions) total += position.weight;
  return total;
}

std::vector<WeightedPosition> laid_out_tree(const Overview& overview, const TreeIndex& index,
                                            ThreadId thread) {
  std::vector<std::int64_t> self(overview.profile.nodes.size());
  for (const Cell& cell : overview.profile.thread_cells[thread.row()][overview.metric.row()]) {
    self[cell.node.row()] = cell.value;
  }
  std::vector<WeightedPosition> positions;
  std::int64_t at = 0;
  const auto enter = [&](NodeId node) {
    const std::int64_t weight = self[node.row()];
    if (weight <= 0) return;
    positions.push_back({at, weight, node});
    at += weight;
  };
  index.walk(enter, [](NodeId) {});
  return positions;
}

}  // namespace

ThreadSamples make_thread_samples(const Overview& overview, const TreeIndex& index,
                                  ThreadId thread) {
  std::vector<WeightedPosition> laid_out = laid_out_tree(overview, index, thread);
  const Unit unit = overview.profile.metrics[overview.metric.row()].unit;
  if (unit != Unit::kNanoseconds) return {.positions = std::move(laid_out), .is_in_time = false};
  std::vector<WeightedPosition> recorded = recorded_samples(overview, thread);
  // A recording may have totals of more than it kept samples of; the totals must be right.
  if (!recorded.empty() && total_weight(recorded) == total_weight(laid_out)) {
    return {.positions = std::move(recorded), .is_in_time = true};
  }
  return {.positions = std::move(laid_out), .is_in_time = false};
}

std::string thread_title(const Profile& profile, const Thread& thread) {
  const Process& process = profile.processes[thread.process.row()];
  const std::string_view name = profile.text(thread.name);
  if (process.rank >= 0) return fmt::format("rank {}: {}", process.rank, name);
  if (profile.processes.size() > 1) return fmt::format("{}: {}", process.source, name);
  return std::string(name);
}

}  // namespace pyrometer

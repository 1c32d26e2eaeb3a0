#include "analyze/memory/memory_of_processes.h"

#include "analyze/memory/memory_figures.h"
#include "profile/tables.h"
#include "profile/value_rows.h"

namespace pyrometer {

Profile memory_of_processes(const Profile& profile, const std::vector<bool>& processes) {
  Profile part = tables_of(profile);
  part.metrics.clear();  // those of memory are added below
  part.nodes = profile.nodes;
  part.process_totals.resize(profile.processes.size());
  for (std::size_t i = 0; i < processes.size(); ++i) {
    if (!processes[i]) part.processes[i].attributes.clear();  // peaks and limits are among them
  }
  const auto has = [&](ThreadId thread) {
    return processes[profile.threads[thread.row()].process.row()];
  };
  for_each_memory_metric(profile, [&](MemoryFigure, MetricId metric) {
    const Combine combine = profile.metrics[metric.row()].combine;
    part.metrics.push_back(profile.metrics[metric.row()]);
    std::vector<std::int64_t>& totals = part.node_totals.emplace_back(profile.nodes.size());
    for (std::size_t i = 0; i < profile.thread_cells.size(); ++i) {
      if (!has(ThreadId::from_index(i))) continue;
      for (const Cell& cell : profile.thread_cells[i][metric.row()]) {
        std::int64_t& total = totals[cell.node.row()];
        total = combined(combine, total, cell.value);
      }
    }
    for (std::size_t i = 0; i < processes.size(); ++i) {
      const std::int64_t total = profile.process_totals[i][metric.row()];
      part.process_totals[i].push_back(processes[i] ? total : 0);
    }
  });
  for (const CounterSeries& series : profile.counters) {
    if (processes[series.process.row()]) part.counters.push_back(series);
  }
  for (const LiveTrack& track : profile.live_tracks) {
    if (has(track.thread)) part.live_tracks.push_back(track);
  }
  return part;
}

}  // namespace pyrometer

#include "profile/totals.h"

#include "profile/value_rows.h"

namespace pyrometer {

void compute_totals(Profile& profile) {
  const std::size_t metric_count = profile.metrics.size();
  profile.node_totals.assign(metric_count, std::vector<std::int64_t>(profile.nodes.size()));
  profile.process_totals.assign(profile.processes.size(), std::vector<std::int64_t>(metric_count));
  for (std::size_t thread = 0; thread < profile.thread_cells.size(); ++thread) {
    auto& of_process = profile.process_totals[profile.threads[thread].process.row()];
    for (std::size_t metric = 0; metric < metric_count; ++metric) {
      const Combine combine = profile.metrics[metric].combine;
      for (const Cell& cell : profile.thread_cells[thread][metric]) {
        std::int64_t& total = profile.node_totals[metric][cell.node.row()];
        total = combined(combine, total, cell.value);
        of_process[metric] = combined(combine, of_process[metric], cell.value);
      }
    }
  }
}

std::int64_t grand_total(const Profile& profile, MetricId metric) {
  std::int64_t total = 0;
  for (const std::int64_t value : profile.node_totals[metric.row()]) {
    total = combined(profile.metrics[metric.row()].combine, total, value);
  }
  return total;
}

}  // namespace pyrometer

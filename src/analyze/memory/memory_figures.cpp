#include "analyze/memory/memory_figures.h"

namespace pyrometer {

bool has_memory_figures(const Profile& profile) {
  bool has_any = false;
  for_each_memory_metric(profile, [&](MemoryFigure, MetricId) { has_any = true; });
  return has_any;
}

MemoryFigures memory_of(const Profile& profile, ProcessId process) {
  MemoryFigures figures;
  for_each_memory_metric(profile, [&](MemoryFigure figure, MetricId metric) {
    figures.*figure = profile.process_totals[process.row()][metric.row()];
  });
  return figures;
}

MemoryFigures& operator+=(MemoryFigures& sum, const MemoryFigures& more) {
  for (const MemoryMetric& each : kMemoryMetrics) sum.*each.figure += more.*each.figure;
  return sum;
}

}  // namespace pyrometer

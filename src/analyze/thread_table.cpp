#include "analyze/thread_table.h"

#include <algorithm>

#include "profile/value_rows.h"

namespace pyrometer {

std::vector<ThreadCost> make_thread_table(const Profile& profile, MetricId metric) {
  std::vector<ThreadCost> table;
  for (std::size_t i = 0; i < profile.thread_cells.size(); ++i) {
    ThreadCost cost{ThreadId::from_index(i)};
    for (const Cell& cell : profile.thread_cells[i][metric.row()]) {
      cost.value = combined(profile.metrics[metric.row()].combine, cost.value, cell.value);
    }
    table.push_back(cost);
  }
  std::stable_sort(table.begin(), table.end(),
                   [](const ThreadCost& a, const ThreadCost& b) { return a.value > b.value; });
  return table;
}

}  // namespace pyrometer

// What holds for every loaded profile, whatever bytes it was made from.
#pragma once

#include "base/check.h"
#include "profile/profile.h"

namespace pyrometer {

inline void check_profile(const Profile& profile) {
  for (std::size_t i = 0; i < profile.nodes.size(); ++i) {
    const Node& node = profile.nodes[i];
    PYROMETER_CHECK(node.parent.is_none() || node.parent.row() < i);
    PYROMETER_CHECK(node.function.row() < profile.functions.size());
  }
  PYROMETER_CHECK(!profile.processes.empty() && !profile.threads.empty());
  for (const Thread& thread : profile.threads) {
    PYROMETER_CHECK(thread.process.row() < profile.processes.size());
  }
  for (const ThreadCells& cells : profile.thread_cells) {
    PYROMETER_CHECK(cells.size() == profile.metrics.size());
    for (const auto& of_metric : cells) {
      for (const Cell& cell : of_metric) PYROMETER_CHECK(cell.node.row() < profile.nodes.size());
    }
  }
}

}  // namespace pyrometer

// What most views and findings start from: one profile seen through one metric.
#pragma once

#include <memory>
#include <vector>

#include "analyze/call_graph.h"
#include "analyze/line_table.h"
#include "analyze/ranks/rank_facts.h"
#include "profile/profile.h"

namespace pyrometer {

struct Overview {
  const Profile& profile;
  MetricId metric;
  std::int64_t total = 0;    // the metric over everything
  std::int64_t samples = 0;  // 0: not sampled
  std::int64_t wall = 0;     // ns, of the longest process
  std::int64_t paused = 0;   // ns of pauses, in which nothing was recorded, of that which had most
  CallGraph graph;
  std::vector<LineCost> lines;
  // Of jobs with ranks, for those who want their findings; null: not computed, or no ranks.
  std::shared_ptr<const RankFacts> ranks = nullptr;

  // A part of the total, from 0 to 1.
  double share(std::int64_t value) const {
    return total == 0 ? 0 : static_cast<double>(value) / static_cast<double>(total);
  }
  // True when a share is so large that sampling noise does not explain it: the lower end
  // of its 95 % interval is above `threshold`.
  bool is_surely_above(double share, double threshold) const;
};

Overview make_overview(const Profile& profile, MetricId metric);

// Fills in `ranks` where the profile has ranks and the values of its threads.
void add_rank_facts(Overview& overview);

}  // namespace pyrometer

#include "analyze/overview.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "profile/totals.h"

namespace pyrometer {

bool Overview::is_surely_above(double share, double threshold) const {
  if (samples == 0) return share > threshold;
  // Wilson's interval: right for few samples and for shares near 0 or 1, too.
  constexpr double kZ = 1.96;
  const auto n = static_cast<double>(samples);
  const double centre = share + kZ * kZ / (2 * n);
  const double spread = kZ * std::sqrt(share * (1 - share) / n + kZ * kZ / (4 * n * n));
  return (centre - spread) / (1 + kZ * kZ / n) > threshold;
}

namespace {

std::int64_t paused_time(const Process& process) {
  std::int64_t time = 0;
  for (const auto& [key, value] : process.attributes) {
    if (key == "paused") std::from_chars(value.data(), value.data() + value.size(), time);
  }
  return std::clamp<std::int64_t>(time, 0, process.duration);
}

}  // namespace

Overview make_overview(const Profile& profile, MetricId metric) {
  Overview overview{.profile = profile, .metric = metric};
  overview.graph = make_call_graph(profile, metric);
  overview.lines = make_line_table(profile, metric);
  for (const FunctionCost& function : overview.graph.functions) overview.total += function.self;
  // line_profiler's files have lines and nothing else.
  if (overview.graph.functions.empty()) {
    for (const LineCost& line : overview.lines) overview.total += line.self;
  }
  if (const auto samples = profile.find_metric(metric::kSamples); samples && profile.is_sampled) {
    overview.samples = grand_total(profile, *samples);
  }
  for (const Process& process : profile.processes) {
    overview.wall = std::max(overview.wall, process.duration);
    overview.paused = std::max(overview.paused, paused_time(process));
  }
  return overview;
}

void add_rank_facts(Overview& overview) {
  const Profile& profile = overview.profile;
  const auto has_rank = [](const Process& process) { return process.rank >= 0; };
  if (profile.thread_cells.empty() ||
      std::none_of(profile.processes.begin(), profile.processes.end(), has_rank)) {
    return;
  }
  overview.ranks = std::make_shared<const RankFacts>(make_rank_facts(profile));
}

}  // namespace pyrometer

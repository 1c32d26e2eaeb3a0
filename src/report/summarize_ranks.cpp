#include <algorithm>
#include <map>

#include "report/run_summary.h"

namespace pyrometer {

void add_ranks(RunSummary& summary, const Profile& profile) {
  constexpr std::int64_t kLeastWork = 200'000'000;  // ns: below it, "busy" says nothing
  constexpr std::int64_t kBusyToIdle = 5;
  const auto cpu = profile.find_metric(metric::kCpu);
  std::map<std::int64_t, std::int64_t> work;  // by rank: CPU time outside MPI
  for (std::size_t i = 0; i < profile.processes.size(); ++i) {
    const std::int64_t rank = profile.processes[i].rank;
    if (rank >= 0) work[rank] += cpu ? profile.process_totals[i][cpu->row()] : 0;
  }
  summary.ranks = work.size();
  if (work.empty()) return;
  const auto is_less = [](const auto& a, const auto& b) { return a.second < b.second; };
  const std::int64_t busiest = std::max_element(work.begin(), work.end(), is_less)->second;
  if (busiest < kLeastWork) return;
  for (const auto& [rank, time] : work) {
    if (time * kBusyToIdle < busiest) summary.idle_ranks.push_back(rank);
  }
}

}  // namespace pyrometer

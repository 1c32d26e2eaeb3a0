#include <algorithm>
#include <map>

#include "analyze/findings/findings.h"
#include "report/run_summary.h"

namespace pyrometer {
namespace {

// Those that cost most; idle ranks have a line of their own.
void add_rank_sentences(RunSummary& summary, const Overview& overview) {
  constexpr std::size_t kMost = 2;
  for (const Finding& finding : find_all_of_ranks(overview)) {
    const bool is_chosen = finding.kind == Finding::Kind::kHot && finding.id != "idle-ranks";
    if (is_chosen && summary.rank_sentences.size() < kMost) {
      summary.rank_sentences.push_back(finding.sentence);
    }
  }
}

}  // namespace

void add_ranks(RunSummary& summary, const Overview& overview) {
  const Profile& profile = overview.profile;
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
  if (work.size() > 1) add_rank_sentences(summary, overview);
  const auto is_less = [](const auto& a, const auto& b) { return a.second < b.second; };
  const std::int64_t busiest = std::max_element(work.begin(), work.end(), is_less)->second;
  if (busiest < kLeastWork) return;
  for (const auto& [rank, time] : work) {
    if (time * kBusyToIdle < busiest) summary.idle_ranks.push_back(rank);
  }
}

}  // namespace pyrometer

// Processes whose recording has no proper end: they were killed, or the file was cut.
#include <fmt/format.h>

#include "analyze/findings/findings.h"
#include "analyze/ranks/rank_list.h"

namespace pyrometer {
namespace {

struct Ending {
  ProcessStatus status;
  const char* id;
  const char* what;
};
constexpr Ending kEndings[] = {
    {ProcessStatus::kKilled, "killed",
     "was killed or is still running; up to the last second is missing"},
    {ProcessStatus::kTruncated, "truncated",
     "is truncated: killed while writing, or the copy broke off"},
    {ProcessStatus::kDamaged, "damaged", "is damaged; what came before the damage is shown"},
};

// By process: that it was killed is said of it as a rank.
std::vector<bool> find_ranks_of_jobs(const Profile& profile) {
  std::vector<bool> is_rank(profile.processes.size());
  const RankList list = make_rank_list(profile);
  if (list.ranks.size() < 2) return is_rank;
  for (const JobRank& rank : list.ranks) is_rank[rank.process.row()] = true;
  return is_rank;
}

}  // namespace

std::vector<Finding> find_incomplete_recordings(const Overview& overview) {
  std::vector<Finding> findings;
  const auto& processes = overview.profile.processes;
  const std::vector<bool> is_rank = find_ranks_of_jobs(overview.profile);
  for (const Ending& ending : kEndings) {
    std::size_t count = 0;
    const Process* example = nullptr;
    for (std::size_t i = 0; i < processes.size(); ++i) {
      if (processes[i].status != ending.status) continue;
      if (ending.status == ProcessStatus::kKilled && is_rank[i]) continue;
      if (count++ == 0) example = &processes[i];
    }
    if (count == 0) continue;
    std::string sentence = processes.size() == 1
                               ? fmt::format("The recording {}", ending.what)
                               : fmt::format("{} of {} processes: the recording {} (first: {})",
                                             count, processes.size(), ending.what, example->source);
    if (!example->trouble.empty()) sentence += fmt::format(" ({})", example->trouble);
    findings.push_back({Finding::Kind::kWarning, ending.id, sentence + "."});
  }
  return findings;
}

}  // namespace pyrometer

// How the ranks of a job ended that did not end well.
#include <fmt/format.h>

#include <map>

#include "analyze/findings/findings.h"
#include "analyze/ranks/rank_list.h"
#include "analyze/ranks/rank_words.h"
#include "base/printable.h"
#include "base/signal_name.h"

namespace pyrometer {
namespace {

// Empty: as it should.
std::string ending_of(const Process& process) {
  if (const std::string code = attribute(process, "mpi.abort"); !code.empty()) {
    return fmt::format("ended all of them by MPI_Abort with code {}", printable(code));
  }
  const std::int64_t signal = number_attribute(process, "signal", 0);
  if (process.status == ProcessStatus::kKilled && signal > 0) {
    return fmt::format("was killed by {}, and up to its last second is missing",
                       signal_words(signal));
  }
  if (process.status == ProcessStatus::kKilled)
    return "was killed or is still running, and up to its last second is missing";
  if (process.exit_status && *process.exit_status != 0) {
    return fmt::format("ended with exit status {}", *process.exit_status);
  }
  return {};
}

}  // namespace

std::vector<Finding> find_rank_endings(const Overview& overview) {
  const RankList list = make_rank_list(overview.profile);
  std::map<std::string, std::vector<std::int64_t>> endings;
  for (const JobRank& rank : list.ranks) {
    const std::string ending = ending_of(overview.profile.processes[rank.process.row()]);
    if (!ending.empty()) endings[ending].push_back(rank.number);
  }
  if (list.ranks.size() < 2 || endings.empty()) return {};
  std::string sentence;
  for (const auto& [ending, ranks] : endings) {
    sentence += sentence.empty() ? "" : "; ";
    sentence += ranks.size() == 1 ? fmt::format("rank {} {}", ranks[0], ending)
                                  : fmt::format("each of {} ranks ({}) {}", ranks.size(),
                                                rank_ranges(ranks), ending);
  }
  sentence[0] = sentence[0] == 'r' ? 'R' : 'E';
  return {{Finding::Kind::kWarning, "rank-ended", sentence + "."}};
}

}  // namespace pyrometer

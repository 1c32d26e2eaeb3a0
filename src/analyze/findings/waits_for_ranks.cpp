// MPI calls in which ranks wait, and for whom.
#include <fmt/format.h>

#include "analyze/findings/findings.h"
#include "analyze/ranks/mpi_waits.h"
#include "analyze/ranks/rank_words.h"
#include "base/format_value.h"

namespace pyrometer {
namespace {

constexpr double kWorthSaying = 0.02;  // of the time of all ranks
constexpr std::size_t kMost = 3;

}  // namespace

std::vector<Finding> find_waits_for_ranks(const Overview& overview) {
  if (!overview.ranks) return {};
  const RankFacts& facts = *overview.ranks;
  const Profile& profile = overview.profile;
  std::vector<Finding> findings;
  for (const MpiSiteCost& cost : find_mpi_sites(facts)) {
    if (findings.size() == kMost || cost.share < kWorthSaying) break;
    const MpiCallLine& site = facts.items.sites[cost.site];
    std::string sentence =
        fmt::format("Ranks wait {} in all in {} ({:.0f} % of their time)", time_words(cost.wait),
                    site_words(profile, site), 100 * cost.share);
    if (cost.culprit) {
      sentence += fmt::format(", likely for rank {}, which works {} more than the others at {}",
                              facts.number(cost.culprit->rank), time_words(cost.culprit->excess),
                              line_words(profile, facts.items.lines[cost.culprit->line]));
    } else {
      sentence += "; no single rank and line explains it";
    }
    findings.push_back(
        {Finding::Kind::kHot, "waiting-for", sentence + ".", cost.share, site.caller.function,
         site.caller.line,
         fmt::format("{} calls, {} in MPI", format_count(cost.calls), time_words(cost.time))});
  }
  return findings;
}

}  // namespace pyrometer

// More ranks on a host than it has cores.
#include <fmt/format.h>

#include "analyze/findings/findings.h"
#include "base/printable.h"

namespace pyrometer {

std::vector<Finding> find_oversubscribed_hosts(const Overview& overview) {
  if (!overview.ranks || overview.ranks->list.sharing != CoreSharing::kTooManyRanks) return {};
  const RankList& list = overview.ranks->list;
  std::size_t crowded = 0;
  for (const RankHost& host : list.hosts) {
    crowded += host.cores > 0 && static_cast<std::int64_t>(host.ranks) > host.cores ? 1 : 0;
  }
  const RankHost& host = list.hosts[list.crowded_host];
  const std::string more =
      crowded > 1 ? fmt::format(", and {} more hosts are crowded, too", crowded - 1) : "";
  return {{Finding::Kind::kWarning, "oversubscribed",
           fmt::format(
               "{} ranks share the {} core{} of {}{}: they wait for each other's cores, and "
               "shares of the job are taken of CPU time instead of wall time.",
               host.ranks, host.cores, host.cores == 1 ? "" : "s", printable(host.name), more)}};
}

}  // namespace pyrometer

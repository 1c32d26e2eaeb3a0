// Hosts on which everything takes longer: the slowest of them, as a bad rack has many.
#include <fmt/format.h>

#include <algorithm>

#include "analyze/findings/findings.h"
#include "analyze/ranks/slow_hosts.h"
#include "base/format_value.h"
#include "base/printable.h"

namespace pyrometer {

std::vector<Finding> find_slow_machines(const Overview& overview) {
  if (!overview.ranks) return {};
  const std::vector<SlowHost> slow = find_slow_hosts(*overview.ranks);
  if (slow.empty()) return {};
  const auto& hosts = overview.ranks->list.hosts;
  const SlowHost& slowest =
      *std::max_element(slow.begin(), slow.end(),
                        [](const SlowHost& a, const SlowHost& b) { return a.factor < b.factor; });
  double lost = 0;  // of the job's ranks, what they take longer
  for (const SlowHost& each : slow) {
    lost += (each.factor - 1) * static_cast<double>(hosts[each.host].ranks);
  }
  const std::string others =
      slow.size() == 1 ? ""
                       : fmt::format(", and so {} {}", slow.size() == 2 ? "is" : "are",
                                     format_plural(slow.size() - 1, "other host", "other hosts"));
  const RankHost& host = hosts[slowest.host];
  return {{Finding::Kind::kHint, "slow-host",
           fmt::format("Host {} is slow{}: the same lines take its {} {:.2f} times as long as "
                       "elsewhere; look at its clock rate, memory and neighbours.",
                       printable(host.name), others, format_plural(host.ranks, "rank", "ranks"),
                       slowest.factor),
           lost / static_cast<double>(overview.ranks->ranks()), FunctionId::none(), 0,
           format_plural(slowest.lines, "line compared", "lines compared")}};
}

}  // namespace pyrometer

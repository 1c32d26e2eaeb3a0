#include "analyze/ranks/efficiency.h"

#include <fmt/format.h>

#include "base/printable.h"

namespace pyrometer {
namespace {

constexpr double kMoreThanRounding = 1.05;

std::string why_withheld(const RankList& list) {
  if (list.ranks.size() < 2) return "there is only one rank";
  if (list.wall <= 0 || list.busiest <= 0) return "no useful time was recorded";
  switch (list.sharing) {
    case CoreSharing::kTooManyRanks: {
      const RankHost& host = list.hosts[list.crowded_host];
      return fmt::format("{} ranks share the {} core{} of {}", host.ranks, host.cores,
                         host.cores == 1 ? "" : "s", printable(host.name));
    }
    case CoreSharing::kWaitedForCores:
      return fmt::format("ranks waited for a core {:.0f} % of their time",
                         100 * list.runnable_share);
    case CoreSharing::kNone: break;
  }
  const double threads = static_cast<double>(list.busiest) / static_cast<double>(list.wall);
  if (threads > kMoreThanRounding) {
    return fmt::format(
        "a rank computes on {:.1f} threads at a time, and how many it could use "
        "is not known",
        threads);
  }
  return {};
}

}  // namespace

Efficiency find_efficiency(const RankList& list) {
  Efficiency efficiency{.withheld = why_withheld(list)};
  if (!efficiency.withheld.empty()) return efficiency;
  const auto ranks = static_cast<double>(list.ranks.size());
  const auto busiest = static_cast<double>(list.busiest);
  efficiency.load_balance = static_cast<double>(list.useful) / ranks / busiest;
  efficiency.communication = busiest / static_cast<double>(list.wall);
  efficiency.parallel = efficiency.load_balance * efficiency.communication;
  return efficiency;
}

}  // namespace pyrometer

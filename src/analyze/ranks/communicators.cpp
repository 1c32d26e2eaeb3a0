#include "analyze/ranks/communicators.h"

#include <algorithm>

namespace pyrometer {

Communicators::Communicators(const RankItems& items, const std::vector<MpiCalls>& calls)
    : smallest(items.sites.size()), largest(items.sites.size()) {
  for (const MpiCalls& each : calls) {
    const std::uint32_t site = items.site_of_node[each.node.row()];
    if (site == RankItems::kNone || each.communicator == 0) continue;
    if (smallest[site] == 0 || each.communicator < smallest[site]) {
      smallest[site] = each.communicator;
    }
    largest[site] = std::max(largest[site], each.communicator);
  }
}

}  // namespace pyrometer

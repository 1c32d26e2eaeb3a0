#include "analyze/inclusive.h"

#include "profile/value_rows.h"

namespace pyrometer {

std::vector<std::int64_t> inclusive_values(const Profile& profile,
                                           std::span<const std::int64_t> self, Combine combine) {
  std::vector<std::int64_t> total(self.begin(), self.end());
  // Parents come before children, so one pass from the back suffices.
  for (std::size_t i = profile.nodes.size(); i-- > 0;) {
    const NodeId parent = profile.nodes[i].parent;
    if (!parent.is_none()) {
      total[parent.row()] = combined(combine, total[parent.row()], total[i]);
    }
  }
  return total;
}

}  // namespace pyrometer

#include "report/call_side.h"

#include <algorithm>

namespace pyrometer {

CallSide::CallSide(const CallGraph& graph, End subject, End other)
    : subject_(subject), other_(other), edges_(graph.edges) {
  std::stable_sort(edges_.begin(), edges_.end(), [&](const CallEdge& a, const CallEdge& b) {
    return a.*subject != b.*subject ? a.*subject < b.*subject : a.total > b.total;
  });
}

std::span<const CallEdge> CallSide::of(FunctionId subject) const {
  const auto first = std::partition_point(
      edges_.begin(), edges_.end(), [&](const CallEdge& edge) { return edge.*subject_ < subject; });
  const auto last = std::partition_point(
      first, edges_.end(), [&](const CallEdge& edge) { return edge.*subject_ == subject; });
  return {first, last};
}

}  // namespace pyrometer

// The edges of a call graph seen from one side: each function's callers, or each function's
// callees, heaviest first.
#pragma once

#include <span>
#include <vector>

#include "analyze/call_graph.h"

namespace pyrometer {

class CallSide {
 public:
  static CallSide callers(const CallGraph& graph) {
    return {graph, &CallEdge::callee, &CallEdge::caller};
  }
  static CallSide callees(const CallGraph& graph) {
    return {graph, &CallEdge::caller, &CallEdge::callee};
  }

  std::span<const CallEdge> of(FunctionId subject) const;
  FunctionId other(const CallEdge& edge) const { return edge.*other_; }

 private:
  using End = FunctionId CallEdge::*;
  CallSide(const CallGraph& graph, End subject, End other);

  End subject_;
  End other_;
  std::vector<CallEdge> edges_;  // by subject, then by weight
};

}  // namespace pyrometer

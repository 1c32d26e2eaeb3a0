// Functions and who calls whom, as pstats counts them: a recursive function's total counts
// only its outermost activations, so no share exceeds the whole; a call is primitive when
// the function was not already running further up.
#pragma once

#include <cstdint>
#include <vector>

#include "profile/profile.h"

namespace pyrometer {

struct CallCost {
  std::int64_t self = 0;
  std::int64_t total = 0;
  std::int64_t calls = 0;
  std::int64_t primitive_calls = 0;
  std::int64_t samples = 0;        // that saw it running itself
  std::int64_t stack_samples = 0;  // that saw it anywhere on the stack
};

struct FunctionCost : CallCost {
  FunctionId function;
};

struct CallEdge : CallCost {  // what the callee cost on behalf of this caller
  FunctionId caller;
  FunctionId callee;
};

struct CallGraph {
  std::vector<FunctionCost> functions;  // those with any value or listed by the source
  std::vector<CallEdge> edges;          // sorted by caller, then callee
};

// `metric` is what self and total measure. Where a source recorded function totals and call
// edges of its own (flat values), those are used; everything else comes from the tree.
CallGraph make_call_graph(const Profile& profile, MetricId metric);

}  // namespace pyrometer

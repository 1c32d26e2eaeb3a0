// The call graph of some threads only, such as those of one rank.
#pragma once

#include <vector>

#include "analyze/call_graph.h"

namespace pyrometer {

// `threads` says by row which; their values must be in the profile (Detail::kValues).
CallGraph make_call_graph(const Profile& profile, MetricId metric,
                          const std::vector<bool>& threads);

}  // namespace pyrometer

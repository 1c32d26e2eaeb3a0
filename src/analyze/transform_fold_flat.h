// Folding where a source has totals of functions and call edges but no paths (cProfile's files):
// what a folded function cost and called is divided among its callers as they used it, which is
// an estimate.
#pragma once

#include <optional>
#include <vector>

#include "analyze/transform_fold.h"

namespace pyrometer {

// `is_folded` by function. Own times stay the same in sum; functions that nobody called stay.
// Estimated paths are estimated anew. Nothing when no flat value is concerned.
Result<std::optional<Folded>> fold_flat_values(const Profile& profile, MetricId metric,
                                               const std::vector<bool>& is_folded);

}  // namespace pyrometer

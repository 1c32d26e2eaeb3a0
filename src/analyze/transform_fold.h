// Paths without their pass-through frames: timing decorators and other wrappers that stand between
// two functions and do next to nothing themselves.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "base/pattern.h"
#include "base/result.h"
#include "profile/profile.h"

namespace pyrometer {

struct FoldRules {
  // What looks like a wrapper on its path: see is_wrapper in transform_fold.cpp. Needs paths that
  // were recorded, not estimated.
  bool wrappers = true;
  std::vector<Pattern> also = {};  // functions whose name or place matches, wherever they are
};

struct Folded {
  Profile profile;                    // the same totals; calls of what was folded are gone
  std::size_t frames = 0;             // positions in the call tree, or call edges' functions
  std::vector<FunctionId> functions;  // that were folded somewhere; rows as in the original
  bool is_estimated = false;          // function totals without paths were divided by shares
};

// Nothing when there is nothing to fold. Roots stay: what they cost needs a place.
Result<std::optional<Folded>> fold_paths(const Profile& profile, MetricId metric,
                                         const FoldRules& rules);

}  // namespace pyrometer

// The source had call edges but no call paths.
#include "analyze/findings/findings.h"

namespace pyrometer {

std::vector<Finding> find_estimated_paths(const Overview& overview) {
  if (!overview.profile.paths_are_estimated) return {};
  return {{Finding::Kind::kHint, "estimated-paths",
           "Functions, callers and callees are as recorded; call paths (trees) are estimated, "
           "because the file holds none, as those of cProfile, or not whole ones."}};
}

}  // namespace pyrometer

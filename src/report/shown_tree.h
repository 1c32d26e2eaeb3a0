// The call tree of a report, from the top down or from the bottom up, of the functions that the
// user's filters leave.
#pragma once

#include <optional>

#include "analyze/view_tree.h"
#include "report/report.h"

namespace pyrometer {

class ShownTree {
 public:
  enum class Direction { kTopDown, kBottomUp };
  ShownTree(const Overview& overview, const ReportOptions& options, Direction direction);

  const Profile& profile() const { return filtered_ ? *filtered_ : profile_; }
  const ViewTree& tree() const { return tree_; }

 private:
  const Profile& profile_;
  std::optional<Profile> filtered_;
  ViewTree tree_;
};

}  // namespace pyrometer

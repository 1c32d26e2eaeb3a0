#include "report/shown_tree.h"

#include "analyze/transform_filter.h"

namespace pyrometer {

ShownTree::ShownTree(const Overview& overview, const ReportOptions& options, Direction direction)
    : profile_(overview.profile) {
  if (has_filters(options.selection)) filtered_ = filter_paths(profile_, options.selection);
  tree_ = direction == Direction::kTopDown
              ? make_call_tree(profile(), overview.metric)
              : make_bottom_up_tree(profile(), overview.metric, options.depth);
}

}  // namespace pyrometer

#include "analyze/transform_focus.h"

#include "analyze/selection.h"
#include "analyze/transform_nodes.h"

namespace pyrometer {
namespace {

// By function.
std::vector<bool> matches_of(const Profile& profile, const Pattern& pattern) {
  std::vector<bool> matches;
  const Selection selection{.keep = {pattern}};
  for (std::size_t i = 0; i < profile.functions.size(); ++i) {
    matches.push_back(is_selected(selection, profile, FunctionId::from_index(i)));
  }
  return matches;
}

Profile focus_on_one(const Profile& profile, const Pattern& pattern) {
  const std::vector<bool> is_match = matches_of(profile, pattern);
  const std::size_t count = profile.nodes.size();
  std::vector<bool> is_inside(count);
  for (std::size_t i = 0; i < count; ++i) {  // parents come before children
    const Node& node = profile.nodes[i];
    is_inside[i] =
        is_match[node.function.row()] || (!node.parent.is_none() && is_inside[node.parent.row()]);
  }
  std::vector<bool> leads_there = is_inside;
  for (std::size_t i = count; i-- > 0;) {
    const NodeId parent = profile.nodes[i].parent;
    if (leads_there[i] && !parent.is_none()) leads_there[parent.row()] = true;
  }
  std::vector<NodeFate> fates;
  for (std::size_t i = 0; i < count; ++i) {
    fates.push_back(is_inside[i]     ? NodeFate::kKeep
                    : leads_there[i] ? NodeFate::kPath
                                     : NodeFate::kDrop);
  }
  Profile focused = transform_nodes(profile, fates);
  focused.flat_values.clear();
  std::erase_if(focused.line_values,
                [&](const LineValue& line) { return !is_match[line.function.row()]; });
  return focused;
}

}  // namespace

Profile focus_on(const Profile& profile, std::span<const Pattern> patterns) {
  Profile focused = focus_on_one(profile, patterns.front());
  for (const Pattern& pattern : patterns.subspan(1)) focused = focus_on_one(focused, pattern);
  return focused;
}

}  // namespace pyrometer

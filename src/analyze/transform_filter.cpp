#include "analyze/transform_filter.h"

#include "analyze/transform_nodes.h"

namespace pyrometer {

Profile filter_paths(const Profile& profile, const Selection& selection) {
  std::vector<NodeFate> of_function;
  for (std::size_t i = 0; i < profile.functions.size(); ++i) {
    const bool stays = is_selected(selection, profile, FunctionId::from_index(i));
    of_function.push_back(stays ? NodeFate::kKeep : NodeFate::kFold);
  }
  std::vector<NodeFate> fates;
  for (const Node& node : profile.nodes) fates.push_back(of_function[node.function.row()]);
  return transform_nodes(profile, fates);
}

}  // namespace pyrometer

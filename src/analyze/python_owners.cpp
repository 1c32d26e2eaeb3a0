#include "analyze/python_owners.h"

namespace pyrometer {

std::vector<NodeId> python_owners(const Profile& profile) {
  std::vector<NodeId> owners(profile.nodes.size());
  for (std::size_t i = 0; i < owners.size(); ++i) {
    const Node& node = profile.nodes[i];
    const Function& function = profile.function_of(NodeId::from_index(i));
    const NodeId above =  // parents come before children
        node.parent.is_none() ? NodeId::none() : owners[node.parent.row()];
    const bool is_python = function.kind == FunctionKind::kPython;
    const bool is_passed = is_import_machinery(profile, function) && !above.is_none();
    owners[i] = is_python && !is_passed ? NodeId::from_index(i) : above;
  }
  return owners;
}

bool is_import_machinery(const Profile& profile, const Function& function) {
  return function.kind == FunctionKind::kPython &&
         profile.text(function.file).starts_with("<frozen importlib.");
}

}  // namespace pyrometer

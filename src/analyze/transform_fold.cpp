#include "analyze/transform_fold.h"

#include <algorithm>
#include <set>

#include "analyze/origin.h"
#include "analyze/selection.h"
#include "analyze/transform_fold_flat.h"
#include "analyze/transform_nodes.h"
#include "analyze/view_tree.h"

namespace pyrometer {
namespace {

constexpr double kLargestOwnShare = 0.01;
constexpr double kLeastChildShare = 0.95;

class WrapperFinder {
 public:
  WrapperFinder(const Profile& profile, const ViewTree& tree)
      : profile_(profile), tree_(tree), origins_(profile) {}

  // A frame that hardly does anything itself and passes nearly all on to one Python function.
  // Only decorator-shaped ones: functions made inside functions, and library code. Of library code
  // that calls library code the frame that the user's own code called stays, as that is the
  // name the user wrote.
  bool is_wrapper(const ViewNode& caller, const ViewNode& node) const {
    const Function& function = profile_.functions[node.function.row()];
    const bool is_code =
        function.kind == FunctionKind::kPython && profile_.text(function.name) != "<module>";
    if (!is_code || node.children.empty() || node.total <= 0) return false;
    const ViewNode& child = tree_.nodes[node.children.front()];  // the heaviest
    if (!passes_on(node, child)) return false;
    if (profile_.text(function.qualified_name).find("<locals>") != std::string_view::npos) {
      return true;
    }
    if (!origins_.is_library(node.function)) return false;
    return origins_.of(caller.function) != Origin::kOwn ||
           origins_.of(child.function) == Origin::kOwn;
  }

 private:
  bool passes_on(const ViewNode& node, const ViewNode& child) const {
    const auto total = static_cast<double>(node.total);
    return profile_.functions[child.function.row()].kind == FunctionKind::kPython &&
           child.function != node.function &&
           static_cast<double>(node.self) < kLargestOwnShare * total &&
           static_cast<double>(child.total) >= kLeastChildShare * total;
  }

  const Profile& profile_;
  const ViewTree& tree_;
  Origins origins_;
};

// By function: whether any of the patterns matches.
std::vector<bool> matches_of(const Profile& profile, const std::vector<Pattern>& patterns) {
  std::vector<bool> matches(profile.functions.size());
  for (const Pattern& pattern : patterns) {
    const Selection selection{.keep = {pattern}};
    for (std::size_t i = 0; i < matches.size(); ++i) {
      matches[i] = matches[i] || is_selected(selection, profile, FunctionId::from_index(i));
    }
  }
  return matches;
}

// By node of the call tree; roots always stay.
std::vector<bool> find_folded(const Profile& profile, const ViewTree& tree, bool wrappers,
                              const std::vector<bool>& is_named) {
  const WrapperFinder finder(profile, tree);
  std::vector<bool> is_folded(tree.nodes.size());
  for (const ViewNode& caller : tree.nodes) {
    for (const std::uint32_t child : caller.children) {
      const ViewNode& node = tree.nodes[child];
      is_folded[child] =
          is_named[node.function.row()] || (wrappers && finder.is_wrapper(caller, node));
    }
  }
  return is_folded;
}

}  // namespace

Result<std::optional<Folded>> fold_paths(const Profile& profile, MetricId metric,
                                         const FoldRules& rules) {
  PYROMETER_TRY(std::optional<Folded> folded,
                fold_flat_values(profile, metric, matches_of(profile, rules.also)));
  const Profile& from = folded ? folded->profile : profile;
  const bool wrappers = rules.wrappers && !profile.paths_are_estimated &&
                        profile.metrics[metric.row()].combine == Combine::kSum;
  const ViewTree tree = make_call_tree(from, metric);
  const std::vector<bool> is_folded =
      find_folded(from, tree, wrappers, matches_of(from, rules.also));
  const auto frames =
      static_cast<std::size_t>(std::count(is_folded.begin(), is_folded.end(), true));
  if (frames == 0) return folded;

  std::vector<NodeFate> fates;
  for (const std::uint32_t view : tree.view_of) {
    fates.push_back(is_folded[view] ? NodeFate::kFold : NodeFate::kKeep);
  }
  std::set<FunctionId> functions;
  if (folded) functions.insert(folded->functions.begin(), folded->functions.end());
  for (std::size_t i = 0; i < is_folded.size(); ++i) {
    if (is_folded[i]) functions.insert(tree.nodes[i].function);
  }
  Profile without = transform_nodes(from, fates);
  return Folded{.profile = std::move(without),
                .frames = frames + (folded ? folded->frames : 0),
                .functions = {functions.begin(), functions.end()},
                .is_estimated = folded && folded->is_estimated};
}

}  // namespace pyrometer

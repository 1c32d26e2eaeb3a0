// Call trees, from the top down and from the bottom up.
#include <algorithm>

#include "analyze/names.h"
#include "base/format_value.h"
#include "report/sections.h"
#include "report/shown_tree.h"

namespace pyrometer {
namespace {

std::string write_tree(const Overview& overview, const ReportOptions& options, const Style& style,
                       const ShownTree& shown_tree) {
  const Profile& profile = shown_tree.profile();
  const ViewTree& tree = shown_tree.tree();
  const Unit unit = profile.metrics[overview.metric.row()].unit;
  TextTable table({{"total"},
                   {"%"},
                   {"self"},
                   {"function", TextTable::Align::kLeft},
                   {"where", TextTable::Align::kLeft}});
  const std::size_t most = options.selection.limit.value_or(tree.nodes.size());
  std::size_t shown = 0;
  std::size_t hidden = 0;
  // Depth first, heaviest first, with a stack: the tree may be deep.
  std::vector<std::uint32_t> open(tree.roots.rbegin(), tree.roots.rend());
  while (!open.empty()) {
    const ViewNode& node = tree.nodes[open.back()];
    open.pop_back();
    const bool is_large = overview.share(node.total) >= options.least_share;
    if (!is_large || node.depth >= options.depth || shown == most) {
      ++hidden;
      continue;
    }
    ++shown;
    const Function& function = profile.functions[node.function.row()];
    table.add_row({format_value(unit, node.total), format_percent(overview.share(node.total)),
                   format_value(unit, node.self),
                   std::string(std::size_t{2} * node.depth, ' ') +
                       std::string(display_name(profile, function)),
                   display_place(profile, function)});
    open.insert(open.end(), node.children.rbegin(), node.children.rend());
  }
  if (table.empty()) return "Nothing to show.\n";
  std::string out = table.render(style);
  if (hidden > 0) {
    out +=
        style.dim(fmt::format("  … {} smaller or deeper branches; --limit, --depth and "
                              "--min-share show more\n",
                              hidden));
  }
  return out;
}

}  // namespace

std::string tree_section(const Overview& overview, const ReportOptions& options,
                         const Style& style) {
  return write_tree(overview, options, style,
                    ShownTree(overview, options, ShownTree::Direction::kTopDown));
}

std::string bottom_up_section(const Overview& overview, const ReportOptions& options,
                              const Style& style) {
  return write_tree(overview, options, style,
                    ShownTree(overview, options, ShownTree::Direction::kBottomUp));
}

}  // namespace pyrometer

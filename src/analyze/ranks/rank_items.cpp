#include "analyze/ranks/rank_items.h"

#include <map>
#include <tuple>

#include "analyze/python_owners.h"
#include "analyze/tree_index.h"
#include "profile/mpi_values.h"

namespace pyrometer {
namespace {

class ItemFinder {
 public:
  ItemFinder(const Profile& profile, RankItems& items) : profile_(profile), items_(items) {}

  // Parents come before their children.
  void add(const Node& node) {
    const Function& function = profile_.functions[node.function.row()];
    const bool is_python = function.kind == FunctionKind::kPython;
    const bool is_own = is_python || node.parent.is_none();
    const std::uint32_t line = is_own ? line_of(node) : items_.line_of_node[node.parent.row()];
    items_.line_of_node.push_back(line);
    const bool is_passed = !node.parent.is_none() && is_import_machinery(profile_, function);
    readers_lines_.push_back(!is_own || is_passed ? readers_lines_[node.parent.row()] : line);
    items_.site_of_node.push_back(is_mpi_function(profile_, function)
                                      ? site_of(node, line, readers_lines_.back())
                                      : RankItems::kNone);
  }

 private:
  std::uint32_t line_of(const Node& node) {
    const auto [found, is_new] = lines_.try_emplace(
        {node.function, node.line}, static_cast<std::uint32_t>(items_.lines.size()));
    if (is_new) items_.lines.push_back({node.function, node.line});
    return found->second;
  }

  // Sites are told apart by who calls, as merged files number them; what a reader is shown of one
  // that the import system calls is the import statement.
  std::uint32_t site_of(const Node& node, std::uint32_t line, std::uint32_t readers_line) {
    const CodeLine by = node.parent.is_none() ? CodeLine{} : items_.lines[line];
    const auto [found, is_new] = sites_.try_emplace(
        {by.function, by.line, node.function}, static_cast<std::uint32_t>(items_.sites.size()));
    if (is_new) {
      const CodeLine caller = node.parent.is_none() ? CodeLine{} : items_.lines[readers_line];
      const std::string_view name = profile_.text(profile_.functions[node.function.row()].name);
      items_.sites.push_back({caller, node.function, name.starts_with("MPI_Init")});
    }
    return found->second;
  }

  const Profile& profile_;
  RankItems& items_;
  std::vector<std::uint32_t> readers_lines_;  // by node
  std::map<std::pair<FunctionId, std::uint32_t>, std::uint32_t> lines_;
  std::map<std::tuple<FunctionId, std::uint32_t, FunctionId>, std::uint32_t> sites_;
};

}  // namespace

RankItems::RankItems(const Profile& profile) : is_outermost(profile.nodes.size()) {
  ItemFinder finder(profile, *this);
  for (const Node& node : profile.nodes) finder.add(node);
  std::vector<std::uint32_t> running(profile.functions.size());
  const auto count_of = [&](NodeId node) -> std::uint32_t& {
    return running[profile.nodes[node.row()].function.row()];
  };
  TreeIndex(profile).walk([&](NodeId node) { is_outermost[node.row()] = count_of(node)++ == 0; },
                          [&](NodeId node) { --count_of(node); });
}

}  // namespace pyrometer

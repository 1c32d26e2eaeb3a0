#include "analyze/groups.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "analyze/inclusive.h"
#include "analyze/module_name.h"
#include "analyze/names.h"
#include "analyze/origin.h"
#include "analyze/tree_index.h"

namespace pyrometer {
namespace {

constexpr std::string_view kGroupWords[] = {"module", "package", "library", "file", "kind"};

// The distribution that a user would update: a package, or Python itself.
std::string library_name(const Profile& profile, const Function& function, Origin origin) {
  const bool is_installed = origin == Origin::kPackages || origin == Origin::kNative;
  return is_installed ? package_name(profile, function) : std::string(name_of(origin));
}

std::string file_name(const Profile& profile, const Function& function, Origin origin) {
  const std::string place = display_place(profile, function, 0);
  return place.empty() ? std::string(name_of(origin)) : place;
}

std::string group_name(const Profile& profile, const Function& function, Origin origin,
                       GroupBy by) {
  switch (by) {
    case GroupBy::kModule: return module_name(profile, function);
    case GroupBy::kPackage: return package_name(profile, function);
    case GroupBy::kLibrary: return library_name(profile, function, origin);
    case GroupBy::kFile: return file_name(profile, function, origin);
    case GroupBy::kKind: break;
  }
  return std::string(name_of(origin));
}

void sort_groups(std::vector<GroupCost>& table, const PositionGroups& groups,
                 const Selection& selection) {
  const SortKey key = selection.sort.empty() ? SortKey::kSelf : selection.sort.front();
  const auto name = [&](const GroupCost& cost) -> const std::string& {
    return groups.groups[cost.group].name;
  };
  const bool by_name = !is_cost(key);
  const auto weight = [&](const GroupCost& cost) {
    return key == SortKey::kTotal ? std::pair(cost.total, cost.self)
                                  : std::pair(cost.self, cost.total);
  };
  std::sort(table.begin(), table.end(), [&](const GroupCost& a, const GroupCost& b) {
    if (!by_name && weight(a) != weight(b)) return weight(a) > weight(b);
    return name(a) < name(b);
  });
  if (selection.reverse) std::reverse(table.begin(), table.end());
}

}  // namespace

std::vector<GroupCost> make_group_table(const Profile& profile, MetricId metric,
                                        const PositionGroups& groups, const Selection& selection) {
  const auto& self = profile.node_totals[metric.row()];
  const auto total = inclusive_values(profile, self, profile.metrics[metric.row()].combine);
  const auto samples = profile.find_metric(metric::kSamples);
  std::vector<GroupCost> costs(groups.groups.size());
  std::vector<std::uint32_t> running(groups.groups.size());
  std::map<std::uint32_t, std::vector<FunctionId>> functions;
  const auto group_of = [&](NodeId node) { return groups.of_node[node.row()]; };
  const auto enter = [&](NodeId node) {
    const std::uint32_t innermost = group_of(node);
    if (innermost == PositionGroups::kNone) return;
    costs[innermost].self += self[node.row()];
    if (samples) costs[innermost].samples += profile.node_totals[samples->row()][node.row()];
    functions[innermost].push_back(profile.nodes[node.row()].function);
    for (std::uint32_t g = innermost; g != PositionGroups::kNone; g = groups.groups[g].parent) {
      if (running[g]++ == 0) costs[g].total += total[node.row()];
    }
  };
  const auto leave = [&](NodeId node) {
    for (std::uint32_t g = group_of(node); g != PositionGroups::kNone;
         g = groups.groups[g].parent) {
      --running[g];
    }
  };
  TreeIndex(profile).walk(enter, leave);

  std::vector<GroupCost> table;
  for (std::uint32_t g = 0; g < costs.size(); ++g) {
    if (costs[g].self == 0 && costs[g].total == 0) continue;
    std::vector<FunctionId>& of_group = functions[g];
    std::sort(of_group.begin(), of_group.end());
    const auto end = std::unique(of_group.begin(), of_group.end());
    costs[g].functions = static_cast<std::size_t>(end - of_group.begin());
    costs[g].group = g;
    table.push_back(costs[g]);
  }
  sort_groups(table, groups, selection);
  return table;
}

std::string_view name_of(GroupBy by) { return kGroupWords[static_cast<std::size_t>(by)]; }

std::vector<std::string> group_words() { return {std::begin(kGroupWords), std::end(kGroupWords)}; }

Result<GroupBy> parse_group_by(std::string_view word) {
  const auto* const found = std::find(std::begin(kGroupWords), std::end(kGroupWords), word);
  if (found == std::end(kGroupWords)) {
    return fail(ErrorCode::kUsage, "there is no grouping '{}'; choose one of {}", word,
                fmt::join(kGroupWords, ", "));
  }
  return static_cast<GroupBy>(found - std::begin(kGroupWords));
}

PositionGroups group_functions(const Profile& profile, GroupBy by, const Selection& selection) {
  const Origins origins(profile);
  PositionGroups groups;
  std::map<std::string, std::uint32_t> by_name;
  std::vector<std::uint32_t> of_function;
  for (std::size_t i = 0; i < profile.functions.size(); ++i) {
    const FunctionId id = FunctionId::from_index(i);
    if (!is_selected(selection, profile, id)) {
      of_function.push_back(PositionGroups::kNone);
      continue;
    }
    std::string name = group_name(profile, profile.functions[i], origins.of(id), by);
    const auto [found, is_new] =
        by_name.try_emplace(name, static_cast<std::uint32_t>(groups.groups.size()));
    if (is_new) groups.groups.push_back({std::move(name)});
    of_function.push_back(found->second);
  }
  for (const Node& node : profile.nodes) {
    groups.of_node.push_back(of_function[node.function.row()]);
  }
  return groups;
}

}  // namespace pyrometer

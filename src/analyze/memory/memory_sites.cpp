#include "analyze/memory/memory_sites.h"

#include <algorithm>
#include <tuple>

#include "analyze/origin.h"
#include "analyze/python_owners.h"

namespace pyrometer {
namespace {

// By node, the closest line of the user's own code at or above it.
std::vector<MemoryPlace> own_places(const Profile& profile, const Origins& origins) {
  std::vector<MemoryPlace> places(profile.nodes.size());
  for (std::size_t i = 0; i < places.size(); ++i) {
    const Node& node = profile.nodes[i];
    if (origins.of(node.function) == Origin::kOwn) {
      places[i] = {node.function, node.line};
    } else if (!node.parent.is_none()) {
      places[i] = places[node.parent.row()];  // parents come before children
    }
  }
  return places;
}

// The figures of one node after the other, without a table of all.
class NodeFigures {
 public:
  explicit NodeFigures(const Profile& profile) {
    for_each_memory_metric(profile, [&](MemoryFigure figure, MetricId metric) {
      columns_.emplace_back(figure, &profile.node_totals[metric.row()]);
    });
  }
  MemoryFigures of(std::size_t node) const {
    MemoryFigures figures;
    for (const auto& [figure, totals] : columns_) figures.*figure = (*totals)[node];
    return figures;
  }

 private:
  std::vector<std::pair<MemoryFigure, const std::vector<std::int64_t>*>> columns_;
};

MemoryFigure main_figure(const MemoryFigures& figures) {
  if (figures.peak > 0) return &MemoryFigures::peak;
  return figures.allocated > 0 ? &MemoryFigures::allocated : &MemoryFigures::copied;
}

void choose_caller(MemorySite& site, MemoryFigure figure) {
  const auto value = [&](const auto& caller) {
    return std::tuple(caller.second.*figure, caller.second.allocated);
  };
  const auto most =
      std::max_element(site.callers.begin(), site.callers.end(),
                       [&](const auto& a, const auto& b) { return value(a) < value(b); });
  if (most != site.callers.end()) std::tie(site.caller, site.for_caller) = *most;
}

bool has_any(const MemoryFigures& figures) {
  return std::any_of(std::begin(kMemoryMetrics), std::end(kMemoryMetrics),
                     [&](const MemoryMetric& each) { return figures.*each.figure != 0; });
}

}  // namespace

std::vector<MemoryPlace> memory_places(const Profile& profile) {
  const std::vector<NodeId> owners = python_owners(profile);
  std::vector<MemoryPlace> places(profile.nodes.size());
  for (std::size_t i = 0; i < places.size(); ++i) {
    const Node& node = profile.nodes[owners[i].is_none() ? i : owners[i].row()];
    places[i] = {node.function, node.line};
  }
  return places;
}

std::vector<MemorySite> memory_sites(const Profile& profile, MemoryUnit unit) {
  if (!has_memory_figures(profile)) return {};
  const Origins origins(profile);
  const std::vector<MemoryPlace> places = memory_places(profile);
  const std::vector<MemoryPlace> own = own_places(profile, origins);
  const NodeFigures nodes(profile);
  struct Sum {
    MemoryFigures figures;
    std::map<MemoryPlace, MemoryFigures> callers;  // what it allocated for each
  };
  std::map<MemoryPlace, Sum> sums;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const MemoryFigures figures = nodes.of(i);
    if (!has_any(figures)) continue;
    const FunctionId function = places[i].function;
    Sum& sum = sums[unit == MemoryUnit::kLine ? places[i] : MemoryPlace{function, 0}];
    sum.figures += figures;
    if (origins.of(function) == Origin::kOwn || own[i].function.is_none()) continue;
    sum.callers[own[i]] += figures;
  }
  std::vector<MemorySite> sites;
  for (const auto& [place, sum] : sums) {
    MemorySite& site = sites.emplace_back(MemorySite{place, sum.figures});
    site.callers.assign(sum.callers.begin(), sum.callers.end());
    choose_caller(site, main_figure(sum.figures));
  }
  return sites;
}

std::vector<MemoryPath> memory_paths(const Profile& profile, MemoryFigure figure, std::size_t most,
                                     const IsPlaceWanted& is_wanted) {
  const NodeFigures nodes(profile);
  const std::vector<MemoryPlace> places = memory_places(profile);
  std::vector<std::pair<std::int64_t, std::size_t>> order;  // by value, then by node
  for (std::size_t i = 0; i < profile.nodes.size(); ++i) {
    const std::int64_t value = nodes.of(i).*figure;
    if (value > 0 && is_wanted(places[i])) order.emplace_back(-value, i);
  }
  const auto end = order.begin() + static_cast<std::ptrdiff_t>(std::min(most, order.size()));
  std::partial_sort(order.begin(), end, order.end());
  std::vector<MemoryPath> paths;
  for (auto each = order.begin(); each != end; ++each) {
    MemoryPath& path = paths.emplace_back(MemoryPath{{}, nodes.of(each->second)});
    for (NodeId node = NodeId::from_index(each->second); !node.is_none();
         node = profile.nodes[node.row()].parent) {
      path.frames.push_back({profile.nodes[node.row()].function, profile.nodes[node.row()].line});
    }
    std::reverse(path.frames.begin(), path.frames.end());
  }
  return paths;
}

void sort_by(std::vector<MemorySite>& sites, MemoryFigure figure) {
  std::erase_if(sites, [&](const MemorySite& site) { return site.figures.*figure <= 0; });
  std::stable_sort(sites.begin(), sites.end(), [&](const MemorySite& a, const MemorySite& b) {
    return a.figures.*figure > b.figures.*figure;
  });
  for (MemorySite& site : sites) choose_caller(site, figure);
}

}  // namespace pyrometer

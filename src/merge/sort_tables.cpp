// sort_tables: the union of all files, in the order of the merged file.
#include <algorithm>
#include <numeric>

#include "merge/structure_union.h"

namespace pyrometer {
namespace {

template <class Less>
std::vector<std::uint32_t> order_of(std::size_t count, Less less) {
  std::vector<std::uint32_t> order(count);
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(), less);
  return order;
}

template <class RowId>
RowId moved(RowId id, const std::vector<std::uint32_t>& places) {
  return id.is_none() ? id : RowId(places[id.row()]);
}

std::vector<std::uint32_t> sort_modules(const Profile& from, Profile& to) {
  const auto key = [&](std::uint32_t row) {
    const Module& module = from.modules[row];
    return std::pair(std::string_view(module.build_id), from.text(module.path));
  };
  const auto order = order_of(from.modules.size(), [&](auto a, auto b) { return key(a) < key(b); });
  for (const std::uint32_t row : order) {
    const Module& module = from.modules[row];
    to.modules.push_back({to.strings.intern(from.text(module.path)), module.build_id});
  }
  return places_in(order);
}

}  // namespace

SortedTables sort_tables(const MergedTables& tables) {
  const Profile& from = tables.profile;
  const CanonicalOrder order = canonical_order(tables);
  SortedTables sorted;
  Profile& to = sorted.tables.profile;

  const auto metrics = order_of(from.metrics.size(), [&](auto a, auto b) {
    return from.metrics[a].name < from.metrics[b].name;
  });
  for (const std::uint32_t row : metrics) to.metrics.push_back(from.metrics[row]);

  const std::vector<std::uint32_t> modules = sort_modules(from, to);
  for (const std::uint32_t row : order.functions) {
    Function function = from.functions[row];
    for (StringId* text :
         {&function.name, &function.qualified_name, &function.file, &function.short_file}) {
      *text = to.strings.intern(from.text(*text));
    }
    function.module = moved(function.module, modules);
    to.functions.push_back(function);
  }
  const std::vector<std::uint32_t> functions = places_in(order.functions);
  const std::vector<std::uint32_t> nodes = places_in(order.nodes);
  for (const std::uint32_t row : order.nodes) {
    Node node = from.nodes[row];
    node.parent = moved(node.parent, nodes);
    node.function = moved(node.function, functions);
    to.nodes.push_back(node);
  }
  for (const std::uint32_t row : order.lines) {
    const LineItem& line = tables.lines[row];
    sorted.tables.lines.push_back({moved(line.function, functions), line.line});
  }
  for (const std::uint32_t row : order.edges) {
    const EdgeItem& edge = tables.edges[row];
    sorted.tables.edges.push_back({moved(edge.caller, functions), moved(edge.callee, functions)});
  }
  for (QuickestCall call : tables.quickest_calls) {
    call.function = moved(call.function, functions);
    sorted.tables.quickest_calls.push_back(call);
  }
  for (const auto& [file, source] : from.sources) {
    to.sources.emplace(to.strings.intern(from.text(file)), source);
  }
  to.notes = from.notes;
  to.is_sampled = from.is_sampled;
  to.paths_are_estimated = from.paths_are_estimated;
  sorted.rows = {places_in(metrics),
                 {nodes, places_in(order.lines), item_rows(places_in(order.edges))}};
  return sorted;
}

}  // namespace pyrometer

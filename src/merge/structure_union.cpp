#include "merge/structure_union.h"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace pyrometer {
namespace {

std::uint32_t row_or_none(const std::vector<std::uint32_t>& map, std::uint32_t row) {
  return row < map.size() ? map[row] : row;
}

// What files may spell differently although the function is the same.
auto spelling(const Profile& profile, const Function& function) {
  const bool is_native = !function.module.is_none();
  const Module* module = is_native ? &profile.modules[function.module.row()] : nullptr;
  return std::tuple(profile.text(function.name), profile.text(function.qualified_name),
                    profile.text(function.file),
                    module != nullptr ? std::string_view(module->build_id) : std::string_view(),
                    module != nullptr ? profile.text(module->path) : std::string_view());
}

// `function` of `from`, with its texts in `strings`.
Function translated(Function function, const Profile& from, StringTable& strings,
                    const std::vector<std::uint32_t>& modules) {
  function.name = strings.intern(from.text(function.name));
  function.qualified_name = strings.intern(from.text(function.qualified_name));
  function.file = strings.intern(from.text(function.file));
  function.short_file = strings.intern(from.text(function.short_file));
  function.module = ModuleId(row_or_none(modules, function.module.row()));
  return function;
}

template <class Map, class Key, class Rows, class Make>
std::uint32_t find_or_add(Map& map, const Key& key, Rows& rows, Make make) {
  const auto [found, inserted] = map.try_emplace(key, static_cast<std::uint32_t>(rows.size()));
  if (inserted) rows.push_back(make());
  return found->second;
}

}  // namespace

Result<RowMaps> StructureUnion::add(const MergedTables& other, const CanonicalOrder& order) {
  RowMaps maps;
  PYROMETER_TRY(maps.metrics, add_metrics(other.profile));
  const std::vector<std::uint32_t> functions = add_functions(other.profile, order);

  // In canonical order, so that rows of files that have much in common ascend together.
  auto& nodes = maps.items[static_cast<std::size_t>(Subject::kNode)];
  nodes.resize(other.profile.nodes.size());
  for (const std::uint32_t row : order.nodes) {
    const Node& node = other.profile.nodes[row];
    nodes[row] = find_or_add(nodes_, node.id, tables_.profile.nodes, [&] {
      return Node{NodeId(row_or_none(nodes, node.parent.row())),
                  FunctionId(functions[node.function.row()]), node.line, node.id};
    });
  }
  auto& lines = maps.items[static_cast<std::size_t>(Subject::kLine)];
  lines.resize(other.lines.size());
  for (const std::uint32_t row : order.lines) {
    const LineItem line{FunctionId(functions[other.lines[row].function.row()]),
                        other.lines[row].line};
    lines[row] = find_or_add(lines_, PairKey(line.function.row(), line.line), tables_.lines,
                             [&] { return line; });
  }
  std::vector<std::uint32_t> edges(other.edges.size());
  for (const std::uint32_t row : order.edges) {
    const EdgeItem edge{FunctionId(row_or_none(functions, other.edges[row].caller.row())),
                        FunctionId(functions[other.edges[row].callee.row()])};
    edges[row] = find_or_add(edges_, PairKey(edge.caller.row(), edge.callee.row()), tables_.edges,
                             [&] { return edge; });
  }
  maps.items[static_cast<std::size_t>(Subject::kEdge)] = item_rows(edges);

  add_sources(other.profile);
  add_quickest_calls(other, functions);
  for (const std::string& note : other.profile.notes) add_note(note);
  tables_.profile.is_sampled |= other.profile.is_sampled;
  tables_.profile.paths_are_estimated |= other.profile.paths_are_estimated;
  return maps;
}

Result<std::vector<std::uint32_t>> StructureUnion::add_metrics(const Profile& other) {
  std::vector<std::uint32_t> rows;
  auto& metrics = tables_.profile.metrics;
  for (const Metric& metric : other.metrics) {
    auto found = tables_.profile.find_metric(metric.name);
    if (!found) {
      if (metrics.size() == kMaxMergedMetrics) {
        return fail(ErrorCode::kTooLarge, "more than {} metrics cannot be merged",
                    kMaxMergedMetrics);
      }
      found = MetricId::from_index(metrics.size());
      metrics.push_back(metric);
    }
    if (metrics[found->row()] != metric) {
      return fail(ErrorCode::kUsage,
                  "metric '{}' is measured in another unit or way in some of the files; merge "
                  "files of one kind",
                  metric.name);
    }
    rows.push_back(found->row());
  }
  return rows;
}

std::vector<std::uint32_t> StructureUnion::add_modules(const Profile& other) {
  std::vector<std::uint32_t> rows;
  Profile& profile = tables_.profile;
  for (const Module& module : other.modules) {
    const std::string_view path = other.text(module.path);
    rows.push_back(
        find_or_add(modules_, std::pair(module.build_id, std::string(path)), profile.modules, [&] {
          return Module{profile.strings.intern(path), module.build_id};
        }));
  }
  return rows;
}

std::vector<std::uint32_t> StructureUnion::add_functions(const Profile& other,
                                                         const CanonicalOrder& order) {
  const std::vector<std::uint32_t> modules = add_modules(other);
  std::vector<std::uint32_t> rows(other.functions.size());
  Profile& profile = tables_.profile;
  for (const std::uint32_t row : order.functions) {
    const Function& function = other.functions[row];
    const auto make = [&] { return translated(function, other, profile.strings, modules); };
    rows[row] = find_or_add(functions_, function.id, profile.functions, make);
    Function& ours = profile.functions[rows[row]];
    if (spelling(other, function) < spelling(profile, ours)) ours = make();
  }
  return rows;
}

void StructureUnion::add_sources(const Profile& other) {
  Profile& profile = tables_.profile;
  for (const auto& [file, source] : other.sources) {
    const auto [ours, inserted] =
        profile.sources.try_emplace(profile.strings.intern(other.text(file)), source);
    // A text is worth more than a hash; of two texts any will do, but always the same.
    const auto rank = [](const SourceText& text) { return std::tie(text.is_hash, text.content); };
    if (!inserted && rank(source) < rank(ours->second)) ours->second = source;
  }
}

void StructureUnion::add_quickest_calls(const MergedTables& other,
                                        const std::vector<std::uint32_t>& functions) {
  for (QuickestCall call : other.quickest_calls) {
    call.function = FunctionId(functions[call.function.row()]);
    const auto key = std::tuple(call.function.row(), call.communicator, call.size_class);
    const std::uint32_t row =
        find_or_add(quickest_calls_, key, tables_.quickest_calls, [&] { return call; });
    std::int64_t& time = tables_.quickest_calls[row].time;
    time = std::min(time, call.time);
  }
}

void StructureUnion::add_note(const std::string& note) {
  std::vector<std::string>& notes = tables_.profile.notes;
  const auto place = std::lower_bound(notes.begin(), notes.end(), note);
  if (place == notes.end() || *place != note) notes.insert(place, note);
}

std::vector<std::uint32_t> item_rows(const std::vector<std::uint32_t>& edge_rows) {
  std::vector<std::uint32_t> rows;
  rows.reserve(edge_rows.size() * kItemsPerEdge);
  for (const std::uint32_t row : edge_rows) {
    for (std::uint32_t part = 0; part < kItemsPerEdge; ++part) {
      rows.push_back(row * kItemsPerEdge + part);
    }
  }
  return rows;
}

RowMaps identity_rows(const MergedTables& tables) {
  const auto up_to = [](std::size_t count) {
    std::vector<std::uint32_t> rows(count);
    std::iota(rows.begin(), rows.end(), 0U);
    return rows;
  };
  RowMaps rows{up_to(tables.profile.metrics.size()), {}};
  for (std::size_t i = 0; i < kSubjects; ++i) {
    rows.items[i] = up_to(tables.item_count(static_cast<Subject>(i)));
  }
  return rows;
}

}  // namespace pyrometer

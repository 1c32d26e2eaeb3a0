#include "analyze/function_lines.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <tuple>

#include "analyze/line_table.h"
#include "analyze/main_metric.h"
#include "analyze/names.h"

namespace pyrometer {
namespace {

using FunctionFigures = std::map<std::uint32_t, LineFigures>;
using AllFigures = std::map<FunctionId, FunctionFigures>;

std::int64_t value_at(const Profile& profile, std::optional<MetricId> metric, std::size_t node) {
  return metric ? profile.node_totals[metric->row()][node] : 0;
}

// Adds what was sampled to the closest Python line at or above each position.
void add_samples(const Profile& profile, AllFigures& figures) {
  const auto samples = profile.find_metric(metric::kSamples);
  const auto wall = profile.find_metric(metric::kWall);
  const auto python = profile.find_metric(metric::kPython);
  const auto native = profile.find_metric(metric::kNative);
  const auto system = profile.find_metric(metric::kSystem);
  std::vector<NodeId> owners(profile.nodes.size());
  for (std::size_t i = 0; i < owners.size(); ++i) {
    const Node& node = profile.nodes[i];
    const bool is_python = profile.functions[node.function.row()].kind == FunctionKind::kPython;
    if (is_python) {
      owners[i] = NodeId::from_index(i);
    } else if (!node.parent.is_none()) {
      owners[i] = owners[node.parent.row()];  // parents come before children
    }
    if (owners[i].is_none()) continue;
    const Node& owner = profile.nodes[owners[i].row()];
    if (owner.line == 0) continue;
    LineFigures& line = figures[owner.function][owner.line];
    const std::int64_t in_python = value_at(profile, python, i);
    const std::int64_t in_native = value_at(profile, native, i) + value_at(profile, system, i);
    line.samples += value_at(profile, samples, i);
    line.python += in_python;
    line.native += in_native;
    line.wait += std::max<std::int64_t>(0, value_at(profile, wall, i) - in_python - in_native);
  }
}

// False when there are none.
bool add_exact(const Profile& profile, AllFigures& figures, bool& has_self) {
  const auto hits = profile.find_metric(metric::kHits);
  const auto time = profile.find_metric(metric::kLineTime);
  const auto self = profile.find_metric(metric::kLineSelf);
  const auto returns = profile.find_metric(metric::kLineReturns);
  bool any = false;
  for (const LineValue& value : profile.line_values) {
    LineFigures& line = figures[value.function][value.line];
    if (value.metric == hits) line.hits += value.value;
    if (value.metric == time) line.time += value.value;
    if (returns)
      line.returns = line.returns.value_or(0) + (value.metric == returns ? value.value : 0);
    if (value.metric == self) line.self += value.value;
    has_self = has_self || value.metric == self;
    any = any || value.metric == hits || value.metric == time;
  }
  return any;
}

// Hits are samples, times with callees.
void add_estimates(const Profile& profile, AllFigures& figures) {
  const auto metric = main_metric(profile);
  if (!metric) return;
  for (const LineCost& cost : make_line_table(profile, *metric)) {
    if (profile.functions[cost.function.row()].kind != FunctionKind::kPython) continue;
    figures[cost.function][cost.line].time += cost.total;
  }
  add_samples(profile, figures);
  for (auto& [function, lines] : figures) {
    for (auto& [number, line] : lines) line.hits = line.samples;
  }
}

using Label = std::tuple<std::string_view, std::uint32_t, std::string_view>;
Label label_of(const FunctionLines& function) {
  return {function.file, function.first_line, function.name};
}

// The next part of a row, up to a tab or the end.
std::string_view next_part(std::string_view& row) {
  const std::size_t end = std::min(row.find('\t'), row.size());
  const std::string_view part = row.substr(0, end);
  row.remove_prefix(std::min(end + 1, row.size()));
  return part;
}

// The attribute of a process: rows of file, first line, qualified name, engine, reason.
void add_engines(std::string_view rows, std::vector<FunctionLines>& functions) {
  while (!rows.empty()) {
    const std::size_t end = std::min(rows.find('\n'), rows.size());
    std::string_view row = rows.substr(0, end);
    rows.remove_prefix(std::min(end + 1, rows.size()));
    const std::string_view file = next_part(row);
    const std::string_view line = next_part(row);
    const std::string_view name = next_part(row);
    const std::string_view engine = next_part(row);
    std::uint32_t first_line = 0;
    std::from_chars(line.data(), line.data() + line.size(), first_line);
    const auto key = std::tuple(file, first_line, name);
    const auto found =
        std::lower_bound(functions.begin(), functions.end(), key,
                         [](const auto& a, const auto& b) { return label_of(a) < b; });
    if (found == functions.end() || label_of(*found) != key) continue;
    found->engine = engine;
    found->reason = row;
  }
}

}  // namespace

FunctionLinesTable make_function_lines(const Profile& profile) {
  FunctionLinesTable table;
  AllFigures figures;
  table.is_sampled = !add_exact(profile, figures, table.has_self);
  if (table.is_sampled) {
    figures.clear();
    table.has_self = false;
    add_estimates(profile, figures);
  } else if (profile.is_sampled) {
    AllFigures sampled;
    add_samples(profile, sampled);
    table.has_samples = true;
    for (auto& [function, lines] : figures) {
      for (const auto& [number, line] : sampled[function]) {
        LineFigures& exact = lines[number];
        exact.samples = line.samples;
        exact.python = line.python;
        exact.native = line.native;
        exact.wait = line.wait;
      }
    }
  }
  for (const auto& [id, lines] : figures) {
    const Function& function = profile.functions[id.row()];
    FunctionLines& row = table.functions.emplace_back();
    row.file = profile.text(function.file);
    row.first_line = function.first_line;
    row.name = display_name(profile, function);
    for (const auto& [number, line] : lines) {
      row.lines.push_back(line);
      row.lines.back().line = number;
    }
  }
  std::stable_sort(table.functions.begin(), table.functions.end(),
                   [](const auto& a, const auto& b) { return label_of(a) < label_of(b); });
  for (const Process& process : profile.processes) {
    for (const auto& [key, value] : process.attributes) {
      if (key == "lines.engines") add_engines(value, table.functions);
    }
  }
  return table;
}

}  // namespace pyrometer

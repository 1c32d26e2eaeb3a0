#include "analyze/memory_lines.h"

#include <algorithm>
#include <tuple>

#include "analyze/names.h"

namespace pyrometer {

std::vector<MemoryFunction> make_memory_lines(const Profile& profile) {
  const auto level = profile.find_metric(metric::kMemory);
  const auto increment = profile.find_metric(metric::kIncrement);
  const auto hits = profile.find_metric(metric::kHits);
  const auto peak = profile.find_metric(metric::kLinePeak);
  const auto temporary = profile.find_metric(metric::kLineTemporary);
  if (!level || !increment) return {};
  std::map<FunctionId, std::map<std::uint32_t, MemoryLine>> figures;
  for (const LineValue& value : profile.line_values) {
    if (value.metric != level && value.metric != increment) continue;
    MemoryLine& line = figures[value.function][value.line];
    if (value.metric == level) line.level = std::max(line.level, value.value);
    if (value.metric == increment) line.increment += value.value;
  }
  // Other engines may have measured more lines: those without memory are left out.
  for (const LineValue& value : profile.line_values) {
    const auto function = figures.find(value.function);
    if (function == figures.end()) continue;
    const auto line = function->second.find(value.line);
    if (line == function->second.end()) continue;
    if (value.metric == hits) line->second.hits += value.value;
    if (value.metric == peak) line->second.peak = std::max(line->second.peak, value.value);
    if (value.metric == temporary) line->second.temporary += value.value;
  }
  std::vector<MemoryFunction> functions;
  for (auto& [id, lines] : figures) {
    const Function& function = profile.functions[id.row()];
    MemoryFunction& row = functions.emplace_back();
    row.function = id;
    row.file = profile.text(function.file);
    row.first_line = function.first_line;
    row.name = display_name(profile, function);
    row.has_inside = peak.has_value() || temporary.has_value();
    for (auto& [number, line] : lines) {
      line.line = number;
      row.lines.push_back(line);
    }
  }
  std::stable_sort(functions.begin(), functions.end(), [](const auto& a, const auto& b) {
    return std::tie(a.file, a.first_line) < std::tie(b.file, b.first_line);
  });
  return functions;
}

}  // namespace pyrometer

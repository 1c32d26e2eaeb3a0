#include "analyze/memory_lines.h"

#include <algorithm>
#include <tuple>

#include "analyze/names.h"

namespace pyrometer {

std::vector<MemoryFunction> make_memory_lines(const Profile& profile) {
  const auto level = profile.find_metric(metric::kMemory);
  const auto increment = profile.find_metric(metric::kIncrement);
  const auto hits = profile.find_metric(metric::kHits);
  if (!level || !increment) return {};
  std::map<FunctionId, std::map<std::uint32_t, MemoryLine>> figures;
  for (const LineValue& value : profile.line_values) {
    if (value.metric != level && value.metric != increment) continue;
    MemoryLine& line = figures[value.function][value.line];
    if (value.metric == level) line.level = std::max(line.level, value.value);
    if (value.metric == increment) line.increment += value.value;
  }
  for (const LineValue& value : profile.line_values) {
    if (value.metric != hits) continue;
    const auto function = figures.find(value.function);
    if (function == figures.end()) continue;
    const auto line = function->second.find(value.line);
    if (line != function->second.end()) line->second.hits += value.value;
  }
  std::vector<MemoryFunction> functions;
  for (auto& [id, lines] : figures) {
    const Function& function = profile.functions[id.row()];
    MemoryFunction& row = functions.emplace_back();
    row.file = profile.text(function.file);
    row.first_line = function.first_line;
    row.name = display_name(profile, function);
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

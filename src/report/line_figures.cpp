#include <algorithm>
#include <limits>
#include <map>

#include "report/code_blocks.h"
#include "report/lines_text.h"

namespace pyrometer {
namespace {

constexpr std::int64_t kMostReturns = 3;  // to the first line of a statement

// Sums stop at the largest number instead of wrapping.
std::int64_t added(std::int64_t a, std::int64_t b) {
  std::int64_t sum = 0;
  if (!__builtin_add_overflow(a, b, &sum)) return sum;
  return b > 0 ? std::numeric_limits<std::int64_t>::max()
               : std::numeric_limits<std::int64_t>::min();
}

// Of one statement, by the lines of it that ran, the first one in front.
std::int64_t times_begun(const std::vector<const LineFigures*>& lines) {
  const LineFigures& first = *lines.front();
  if (first.returns && first.hits > *first.returns) return first.hits - *first.returns;
  std::vector<std::int64_t> hits;
  for (const LineFigures* line : lines) hits.push_back(line->hits);
  const std::int64_t rarest = *std::min_element(hits.begin(), hits.end());
  const bool is_straight = std::all_of(hits.begin(), hits.end(), [&](std::int64_t count) {
    return count % rarest == 0 && count / rarest <= kMostReturns;
  });
  return is_straight ? rarest : hits.front();
}

}  // namespace

std::int64_t time_of(const FunctionLines& function) {
  std::int64_t sum = 0;
  for (const LineFigures& line : function.lines) sum = added(sum, line.time);
  return sum;
}

std::int64_t hits_of(const FunctionLines& function) {
  std::int64_t sum = 0;
  for (const LineFigures& line : function.lines) sum = added(sum, line.hits);
  return sum;
}

std::vector<const FunctionLines*> ordered_functions(const FunctionLinesTable& table,
                                                    const LinesOptions& options) {
  std::vector<const FunctionLines*> functions;
  for (const FunctionLines& function : table.functions) functions.push_back(&function);
  if (options.sort) {
    std::map<const FunctionLines*, std::int64_t> times;
    for (const FunctionLines* function : functions) times[function] = time_of(*function);
    std::stable_sort(functions.begin(), functions.end(),
                     [&](const auto* a, const auto* b) { return times[a] < times[b]; });
  }
  return functions;
}

FunctionLines merge_statements(const FunctionLines& function,
                               const std::vector<std::string>& source) {
  const std::size_t first = std::max(function.first_line, 1U) - 1;
  if (first >= source.size()) return function;
  const auto starts = statement_starts(std::span(source).subspan(first));
  std::map<std::uint32_t, LineFigures> statements;
  std::map<std::uint32_t, std::vector<const LineFigures*>> hit;
  std::vector<LineFigures> lines = function.lines;
  std::stable_sort(lines.begin(), lines.end(),
                   [](const auto& a, const auto& b) { return a.line < b.line; });
  for (const LineFigures& line : lines) {
    const std::size_t row = line.line - std::size_t{1} - first;
    const bool is_inside = line.line > first && row < starts.size();
    const auto start = is_inside ? static_cast<std::uint32_t>(first + starts[row] + 1) : line.line;
    LineFigures& statement = statements[start];
    statement.line = start;
    statement.time = added(statement.time, line.time);
    statement.self = added(statement.self, line.self);
    statement.samples += line.samples;
    statement.python += line.python;
    statement.native += line.native;
    statement.wait += line.wait;
    if (line.hits > 0) hit[start].push_back(&line);
  }
  FunctionLines merged = function;
  merged.lines.clear();
  for (auto& [start, statement] : statements) {
    if (const auto found = hit.find(start); found != hit.end()) {
      statement.hits = times_begun(found->second);
    }
    merged.lines.push_back(statement);
  }
  return merged;
}

FunctionLinesTable table_of(const LprofFile& file) {
  FunctionLinesTable table;
  table.unit = file.unit;
  for (const LprofFunction& function : file.functions) {
    FunctionLines& row = table.functions.emplace_back();
    row.file = function.file;
    row.first_line = static_cast<std::uint32_t>(function.first_line);
    row.name = function.name;
    for (const LprofLine& line : function.lines) {
      row.lines.push_back(
          {.line = static_cast<std::uint32_t>(line.line), .hits = line.hits, .time = line.time});
    }
  }
  return table;
}

}  // namespace pyrometer

#include <algorithm>
#include <cmath>

#include "formats/line_text.h"
#include "formats/table_text.h"

namespace pyrometer {
namespace {

// Version 0.58 has the third one with its own spelling.
enum Title : std::size_t { kLevel, kIncrement, kOccurrences, kOccurences };
constexpr std::string_view kTitles[] = {"Mem usage", "Increment", "Occurrences", "Occurences"};
constexpr double kMiB = 1048576;
// A tebibyte of tebibytes; keeps hostile numbers inside 64 bits even when added up.
constexpr double kMostBytes = 1e15;

std::optional<TableColumns> columns_of(std::string_view head) {
  auto columns = TableColumns::parse(head, kTitles);
  if (!columns || !columns->has(kLevel) || !columns->has(kIncrement)) return std::nullopt;
  // Eleven letters in a column of ten.
  if (columns->has(kOccurrences)) columns->narrow_last_column(1);
  return columns;
}

// "34.840 MiB"; very old versions write MB and mean the same.
std::optional<std::int64_t> bytes_of(std::string_view cell) {
  const auto number = parse_number(next_word(cell));
  const std::string_view unit = trimmed(cell);
  if (!number || (unit != "MiB" && unit != "MB" && !unit.empty())) return std::nullopt;
  return std::llround(std::clamp(*number * kMiB, -kMostBytes, kMostBytes));
}

// "my_func" of "async def my_func(a, b):"; empty for any other line.
std::string_view defined_name(std::string_view source) {
  std::string_view rest = source;
  std::string_view word = next_word(rest);
  if (word == "async") word = next_word(rest);
  if (word != "def") return {};
  rest = trimmed(rest);
  return trimmed(rest.substr(0, rest.find_first_of("(:[")));
}

MemoryTextFunction read_rows(TextLines& lines, const TableColumns& columns, std::string_view file) {
  MemoryTextFunction function;
  function.file = file;
  bool is_first = true;
  for (std::string_view line = lines.peek();; line = lines.peek()) {
    if (is_gap(line)) {
      lines.next(line);
      continue;
    }
    const auto row = columns.parse_row(line);
    if (!row) return function;
    lines.next(line);
    if (is_first) function.first_line = row->line;
    is_first = false;
    function.last_line = std::max(function.last_line, row->line);
    if (function.name.empty()) function.name = defined_name(row->contents);
    if (!row->contents.empty()) function.source.emplace_back(row->line, row->contents);
    const auto level = bytes_of(row->cells[kLevel]);
    const auto increment = bytes_of(row->cells[kIncrement]);
    if (!level || !increment) continue;
    const auto& counts = row->cells[kOccurrences];
    const double hits = parse_number(counts.empty() ? row->cells[kOccurences] : counts).value_or(0);
    function.rows.push_back(
        {row->line, std::llround(std::clamp(hits, 0.0, kMostBytes)), *level, *increment});
  }
}

}  // namespace

Result<std::vector<MemoryTextFunction>> read_memory_profiler_text(std::string_view text) {
  constexpr std::string_view kFile = "Filename: ";
  std::vector<MemoryTextFunction> functions;
  std::string_view file;
  TextLines lines(text);
  for (std::string_view line; lines.next(line);) {
    if (line.starts_with(kFile)) file = trimmed(line.substr(kFile.size()));
    const auto columns = columns_of(line);
    if (!columns || !is_ruler(lines.peek())) continue;
    lines.next(line);
    functions.push_back(read_rows(lines, *columns, file));
    file = {};
  }
  if (functions.empty()) {
    return fail(ErrorCode::kCorrupt, "there is no table of memory_profiler in the text");
  }
  return functions;
}

bool has_memory_profiler_table(std::string_view text) { return has_table(text, columns_of); }

}  // namespace pyrometer

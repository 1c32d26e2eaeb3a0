// The tables that people see of line_profiler (`python -m line_profiler`, `kernprof -v`, `pyrometer
// lines`) and of memory_profiler (`@profile`), read back from text. Versions differ in the width of
// columns and in the digits of numbers; the titles say what there is.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace pyrometer {

struct LineTextRow {
  std::uint32_t line = 0;
  std::int64_t hits = 0;
  std::int64_t time = 0;  // ns

  friend bool operator==(const LineTextRow&, const LineTextRow&) = default;
};

using SourceRows = std::vector<std::pair<std::uint32_t, std::string>>;  // line, text

struct LineTextFunction {
  std::string file;
  std::uint32_t first_line = 0;
  std::uint32_t last_line = 0;  // of the table
  std::string name;             // empty where line_profiler did not find the source and prints none
  std::vector<LineTextRow> rows;
  SourceRows source;
};

// Tables in the order of the text; a function may come several times, when ranks print into one
// file. Their sums equal the printed "Total time" as far as its digits go: what rounding to units
// of the table took away goes to the longest line.
Result<std::vector<LineTextFunction>> read_line_profiler_text(std::string_view text);

struct MemoryTextRow {
  std::uint32_t line = 0;
  std::int64_t hits = 0;       // 0 where that version does not count
  std::int64_t level = 0;      // bytes of the process after the line, the most that was seen
  std::int64_t increment = 0;  // bytes, over all visits

  friend bool operator==(const MemoryTextRow&, const MemoryTextRow&) = default;
};

struct MemoryTextFunction {
  std::string file;
  std::uint32_t first_line = 0;
  std::uint32_t last_line = 0;  // of the table
  std::string name;             // from its "def" line; empty where there is none
  std::vector<MemoryTextRow> rows;
  SourceRows source;
};

Result<std::vector<MemoryTextFunction>> read_memory_profiler_text(std::string_view text);

// Whether there is such a table anywhere in the text.
bool has_line_profiler_table(std::string_view text);
bool has_memory_profiler_table(std::string_view text);

}  // namespace pyrometer

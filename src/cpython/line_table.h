// CPython's location table (PEP 657): which source range each instruction came from.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace pyrometer {

struct SourceRange {
  std::uint32_t instruction = 0;  // the first one; the range holds until the next entry
  std::uint32_t line = 0;         // 0: the compiler's own, without a line
  std::uint32_t end_line = 0;
  std::int32_t column = -1;  // -1: unknown; as CPython counts, in bytes of UTF-8
  std::int32_t end_column = -1;
  bool has_location = false;  // line 0 can be one: where a module begins
};

// In the order of instructions, neighbours that say the same merged. Stops at the first byte
// that cannot be right.
std::vector<SourceRange> decode_line_table(std::string_view table, std::uint32_t first_line);

// The line of an instruction; `first_line` for one that is not in the table or not begun (-1).
std::uint32_t line_of(const std::vector<SourceRange>& ranges, std::int32_t instruction,
                      std::uint32_t first_line);
// Likewise of a table that is asked only now and then.
std::uint32_t line_of(std::string_view table, std::int32_t instruction, std::uint32_t first_line);

// Where the code's own text begins on its first line, as column + 1, which tells lambdas of one
// line apart; 0: not on that line, or unknown. (The first instruction always says column 0.)
std::uint32_t first_column_of(const std::vector<SourceRange>& ranges, std::uint32_t first_line);

}  // namespace pyrometer

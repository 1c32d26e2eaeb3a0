// Tables that profilers print for people: right-aligned columns under a line of titles and a ruler
// of '=', with the source text behind the last column. They stand anywhere in a text, as people
// redirect what a program prints together with its profile.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pyrometer {

// The lines of a text without their breaks.
class TextLines {
 public:
  explicit TextLines(std::string_view text) : rest_(text) {}
  bool next(std::string_view& line);
  // The line that next() would give; empty at the end.
  std::string_view peek() const;
  bool at_end() const { return rest_.empty(); }

 private:
  std::string_view rest_;
};

// The next word of a line, which is removed from it; empty at the end.
std::string_view next_word(std::string_view& rest);
std::string_view trimmed(std::string_view text);

// Whole and finite, as C prints numbers.
std::optional<double> parse_number(std::string_view text);
// At most 2^31 - 1, in digits alone.
std::optional<std::uint32_t> parse_line_number(std::string_view text);

// A copy without the colours of a terminal.
std::string without_colors(std::string_view text);

class TableColumns {
 public:
  struct Row {
    std::uint32_t line = 0;
    std::vector<std::string_view> cells;  // by title; empty where nothing is printed
    std::string_view contents;
  };

  // From "Line #      Hits   ...  Line Contents", where every title is one of `titles`; nothing for
  // any other line. `titles` must outlive the columns.
  static std::optional<TableColumns> parse(std::string_view head,
                                           std::span<const std::string_view> titles);

  bool has(std::size_t title) const;

  // For a last title that is wider than its column and so stands further right than the rows.
  void narrow_last_column(std::size_t by);

  // Nothing for a line that is no row. A number wider than its column moves what follows it.
  std::optional<Row> parse_row(std::string_view line) const;

 private:
  struct Column {
    std::size_t title = 0;
    std::size_t end = 0;
  };

  std::vector<Column> columns_;  // without the line number and the contents
  std::size_t title_count_ = 0;
  std::size_t number_end_ = 0;
  std::size_t contents_ = 0;
};

// Whether a line of titles that `columns_of` accepts stands above a ruler anywhere in the text.
bool has_table(std::string_view text, std::optional<TableColumns> (*columns_of)(std::string_view));

// "=====": what stands below the titles.
bool is_ruler(std::string_view line);
// "[...]" or "...": rows that somebody left out.
bool is_gap(std::string_view line);

}  // namespace pyrometer

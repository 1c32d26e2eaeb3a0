#include "formats/table_text.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

namespace pyrometer {
namespace {

constexpr std::string_view kSpaces = " \t\f\v";
constexpr std::string_view kNumberTitle = "Line #";
constexpr std::string_view kContentsTitle = "Line Contents";
// Units that stand behind a number, with a space between.
constexpr std::string_view kUnits[] = {" MiB", " MB"};

std::size_t skip_spaces(std::string_view text, std::size_t at) {
  return std::min(text.find_first_not_of(kSpaces, at), text.size());
}

std::size_t end_of_cell(std::string_view line, std::size_t begin) {
  const std::size_t end = std::min(line.find_first_of(kSpaces, begin), line.size());
  const std::string_view rest = line.substr(end);
  for (const std::string_view unit : kUnits) {
    if (!rest.starts_with(unit)) continue;
    if (rest.size() == unit.size() || rest[unit.size()] == ' ') return end + unit.size();
  }
  return end;
}

}  // namespace

bool TextLines::next(std::string_view& line) {
  if (rest_.empty()) return false;
  const std::size_t end = std::min(rest_.find('\n'), rest_.size());
  line = rest_.substr(0, end);
  if (line.ends_with('\r')) line.remove_suffix(1);
  rest_.remove_prefix(std::min(end + 1, rest_.size()));
  return true;
}

std::string_view TextLines::peek() const {
  TextLines copy = *this;
  std::string_view line;
  return copy.next(line) ? line : std::string_view();
}

std::string_view next_word(std::string_view& rest) {
  rest.remove_prefix(skip_spaces(rest, 0));
  const std::string_view word = rest.substr(0, rest.find_first_of(kSpaces));
  rest.remove_prefix(word.size());
  return word;
}

std::string_view trimmed(std::string_view text) {
  text.remove_prefix(skip_spaces(text, 0));
  return text.substr(0, text.find_last_not_of(kSpaces) + 1);
}

std::optional<double> parse_number(std::string_view text) {
  double number = 0;
  const char* end = text.data() + text.size();
  const auto result = std::from_chars(text.data(), end, number);
  if (result.ec != std::errc{} || result.ptr != end || !std::isfinite(number)) return std::nullopt;
  return number;
}

std::optional<std::uint32_t> parse_line_number(std::string_view text) {
  constexpr std::uint32_t kLargest = std::numeric_limits<std::int32_t>::max();
  std::uint32_t number = 0;
  const char* end = text.data() + text.size();
  const auto result = std::from_chars(text.data(), end, number);
  if (result.ec != std::errc{} || result.ptr != end || number > kLargest) return std::nullopt;
  return number;
}

std::string without_colors(std::string_view text) {
  std::string plain;
  plain.reserve(text.size());
  while (!text.empty()) {
    const std::size_t escape = std::min(text.find("\x1b["), text.size());
    plain.append(text.substr(0, escape));
    text.remove_prefix(escape);
    if (text.empty()) break;
    // Parameters, then one letter.
    const std::size_t letter = text.find_first_not_of("0123456789;:?", 2);
    text.remove_prefix(letter == std::string_view::npos ? text.size() : letter + 1);
  }
  return plain;
}

std::optional<TableColumns> TableColumns::parse(std::string_view head,
                                                std::span<const std::string_view> titles) {
  TableColumns columns;
  columns.title_count_ = titles.size();
  std::size_t at = skip_spaces(head, 0);
  if (!head.substr(at).starts_with(kNumberTitle)) return std::nullopt;
  columns.number_end_ = at + kNumberTitle.size();
  for (at = skip_spaces(head, columns.number_end_); at < head.size(); at = skip_spaces(head, at)) {
    const std::string_view rest = head.substr(at);
    if (trimmed(rest) == kContentsTitle) {
      columns.contents_ = at;
      return columns;
    }
    const auto found = std::find_if(titles.begin(), titles.end(),
                                    [&](auto title) { return rest.starts_with(title); });
    if (found == titles.end()) return std::nullopt;
    at += found->size();
    if (at < head.size() && kSpaces.find(head[at]) == std::string_view::npos) return std::nullopt;
    const auto title = static_cast<std::size_t>(found - titles.begin());
    if (columns.has(title)) return std::nullopt;
    columns.columns_.push_back({title, at});
  }
  return std::nullopt;
}

bool TableColumns::has(std::size_t title) const {
  return std::any_of(columns_.begin(), columns_.end(),
                     [title](const Column& column) { return column.title == title; });
}

void TableColumns::narrow_last_column(std::size_t by) {
  columns_.back().end -= by;
  contents_ -= by;
}

std::optional<TableColumns::Row> TableColumns::parse_row(std::string_view line) const {
  const std::size_t begin = skip_spaces(line, 0);
  std::size_t at = std::min(line.find_first_of(kSpaces, begin), line.size());
  const auto number = parse_line_number(line.substr(begin, at - begin));
  if (!number) return std::nullopt;
  Row row{.line = *number, .cells = std::vector<std::string_view>(title_count_), .contents = {}};
  std::size_t shift = at > number_end_ ? at - number_end_ : 0;
  for (const Column& column : columns_) {
    const std::size_t first = skip_spaces(line, at);
    if (first < line.size() && first < column.end + shift) {
      at = end_of_cell(line, first);
      row.cells[column.title] = line.substr(first, at - first);
    }
    if (at > column.end + shift) shift = at - column.end;
    at = std::min(column.end + shift, line.size());
  }
  if (line.size() > contents_ + shift) row.contents = line.substr(contents_ + shift);
  return row;
}

bool has_table(std::string_view text, std::optional<TableColumns> (*columns_of)(std::string_view)) {
  for (std::size_t at = text.find(kNumberTitle); at != std::string_view::npos;
       at = text.find(kNumberTitle, at + kNumberTitle.size())) {
    const std::size_t begin = text.find_last_of('\n', at) + 1;  // 0 when there is none
    TextLines lines(text.substr(begin));
    std::string_view head;
    if (lines.next(head) && columns_of(head) && is_ruler(lines.peek())) return true;
  }
  return false;
}

bool is_ruler(std::string_view line) {
  line = trimmed(line);
  return line.size() >= kNumberTitle.size() &&
         line.find_first_not_of('=') == std::string_view::npos;
}

bool is_gap(std::string_view line) {
  line = trimmed(line);
  return line == "[...]" || line == "...";
}

}  // namespace pyrometer

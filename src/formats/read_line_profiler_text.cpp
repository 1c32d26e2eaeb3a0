#include <algorithm>
#include <cmath>

#include "formats/line_text.h"
#include "formats/table_text.h"

namespace pyrometer {
namespace {

// line_profiler's columns, and those that `pyrometer lines --columns` adds.
enum Title : std::size_t { kHits, kTime };
constexpr std::string_view kTitles[] = {"Hits",     "Time",     "Per Hit", "% Time", "Self",
                                        "% Python", "% Native", "% Wait",  "Samples"};
constexpr std::string_view kNotFound = "Could not find file ";

// Far beyond any program; keeps hostile numbers inside 64 bits even when added up.
constexpr double kMostSeconds = 1e8;
constexpr double kMostHits = 1e15;

std::optional<TableColumns> columns_of(std::string_view head) {
  auto columns = TableColumns::parse(head, kTitles);
  if (!columns || !columns->has(kHits) || !columns->has(kTime)) return std::nullopt;
  return columns;
}

// "12.5" may be anything within 0.05 of it, "1.23e+08" within half a million.
double rounding_of(std::string_view number) {
  const std::size_t exponent = std::min(number.find_first_of("eE"), number.size());
  const std::size_t point = number.substr(0, exponent).find('.');
  const auto decimals =
      point == std::string_view::npos ? 0.0 : static_cast<double>(exponent - point - 1);
  std::string_view power = number.substr(std::min(exponent + 1, number.size()));
  if (power.starts_with('+')) power.remove_prefix(1);
  return 0.5 * std::pow(10.0, parse_number(power).value_or(0) - decimals);
}

// "Total time: 0.00123 s", "Timer unit: 1e-06 s": the number as it is printed.
std::optional<std::string_view> seconds_behind(std::string_view line, std::string_view words) {
  if (!line.starts_with(words)) return std::nullopt;
  line.remove_prefix(words.size());
  const std::string_view number = next_word(line);
  if (trimmed(line) != "s" || !parse_number(number)) return std::nullopt;
  return number;
}

std::int64_t nanoseconds(double seconds) {
  return std::llround(std::clamp(seconds, -kMostSeconds, kMostSeconds) * 1e9);
}

class Reader {
 public:
  explicit Reader(std::string_view text) : lines_(text) {}

  std::vector<LineTextFunction> read() {
    std::string_view line;
    while (lines_.next(line)) {
      const auto columns = columns_of(line);
      if (columns && is_ruler(lines_.peek())) {
        lines_.next(line);
        read_rows(*columns);
      } else {
        read_head(trimmed(line));
      }
    }
    return std::move(functions_);
  }

 private:
  void read_head(std::string_view line) {
    if (const auto unit = seconds_behind(line, "Timer unit:")) {
      const double seconds = *parse_number(*unit);
      unit_ = seconds > 0 ? seconds : unit_;
    } else if (const auto total = seconds_behind(line, "Total time:")) {
      total_ = *total;
      next_ = {};
    } else if (line.starts_with("File: ")) {
      next_.file = line.substr(6);
    } else if (line.starts_with(kNotFound)) {
      next_.file = line.substr(kNotFound.size());
    } else if (line.starts_with("Function: ")) {
      constexpr std::string_view kAt = " at line ";
      const std::size_t at = line.rfind(kAt);
      if (at == std::string_view::npos || at < 10) return;
      next_.name = line.substr(10, at - 10);
      next_.first_line = parse_line_number(line.substr(at + kAt.size())).value_or(0);
    }
  }

  void read_rows(const TableColumns& columns) {
    double rounding = 0;
    bool is_first = true;
    for (std::string_view line = lines_.peek();; line = lines_.peek()) {
      if (is_gap(line)) {
        lines_.next(line);
        continue;
      }
      const auto row = columns.parse_row(line);
      if (!row) break;
      lines_.next(line);
      if (is_first && next_.first_line == 0) next_.first_line = row->line;
      is_first = false;
      next_.last_line = std::max(next_.last_line, row->line);
      if (!row->contents.empty()) next_.source.emplace_back(row->line, row->contents);
      const auto hits = parse_number(row->cells[kHits]);
      const auto time = parse_number(row->cells[kTime]);
      if (!hits || !time) continue;
      next_.rows.push_back({row->line, std::llround(std::clamp(*hits, -kMostHits, kMostHits)),
                            nanoseconds(*time * unit_)});
      rounding += rounding_of(row->cells[kTime]) * unit_;
    }
    match_total(rounding);
    functions_.push_back(std::move(next_));
    next_ = {};
    total_ = {};
  }

  void match_total(double rounding) {
    const auto total = parse_number(total_);
    if (!total || next_.rows.empty()) return;
    std::int64_t sum = 0;
    for (const LineTextRow& row : next_.rows) sum += row.time;
    const double difference = *total - static_cast<double>(sum) / 1e9;
    const double last_digit = rounding_of(total_);
    const bool is_met = std::abs(difference) <= last_digit;
    // More than rounding explains: the table was cut or edited, and its lines are all there is.
    if (is_met || !(std::abs(difference) <= rounding + last_digit)) return;
    const auto longest =
        std::max_element(next_.rows.begin(), next_.rows.end(),
                         [](const auto& a, const auto& b) { return a.time < b.time; });
    longest->time += nanoseconds(*total) - sum;
  }

  TextLines lines_;
  double unit_ = 1e-6;
  std::string_view total_;
  LineTextFunction next_;
  std::vector<LineTextFunction> functions_;
};

}  // namespace

Result<std::vector<LineTextFunction>> read_line_profiler_text(std::string_view text) {
  const bool has_colors = text.find('\x1b') != std::string_view::npos;
  const std::string plain = has_colors ? without_colors(text) : std::string();
  std::vector<LineTextFunction> functions = Reader(has_colors ? plain : text).read();
  if (functions.empty()) {
    return fail(ErrorCode::kCorrupt, "there is no table of line_profiler in the text");
  }
  return functions;
}

bool has_line_profiler_table(std::string_view text) { return has_table(text, columns_of); }

}  // namespace pyrometer

#include "report/lines_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <map>

#include "base/printable.h"
#include "report/code_blocks.h"
#include "report/paint_python.h"

namespace pyrometer {
namespace {

constexpr std::size_t kLargestText = std::size_t{256} << 20;
constexpr std::uint32_t kMostRowsWithoutSource = 10'000;

// As C and Python print numbers.
template <class Number>
std::string formatted(const char* format, Number number) {
  std::array<char, 400> text{};  // a double without exponent has 309 digits at most
  const int size = std::snprintf(text.data(), text.size(), format, number);
  return {text.data(), static_cast<std::size_t>(std::clamp(size, 0, 399))};
}

struct Column {
  std::string title;
  std::size_t width;  // at least; longer numbers get more room
};

std::vector<Column> make_columns(const FunctionLinesTable& table, const LinesOptions& options) {
  std::vector<Column> columns{{"Line #", 6},
                              {table.is_sampled ? "Samples" : "Hits", 9},
                              {"Time", 12},
                              {"Per Hit", 8},
                              {"% Time", 8}};
  if (table.is_sampled) columns.erase(columns.begin() + 3);
  for (const LineColumn column : options.columns) {
    switch (column) {
      case LineColumn::kSelf: columns.push_back({"Self", 12}); break;
      case LineColumn::kPython: columns.push_back({"% Python", 8}); break;
      case LineColumn::kNative: columns.push_back({"% Native", 8}); break;
      case LineColumn::kWait: columns.push_back({"% Wait", 8}); break;
      case LineColumn::kSamples: columns.push_back({"Samples", 8}); break;
    }
  }
  return columns;
}

class FunctionTable {
 public:
  FunctionTable(const FunctionLinesTable& table, const LinesOptions& options)
      : table_(table),
        options_(options),
        scalar_(table.unit / options.unit),
        columns_(make_columns(table, options)) {}

  // Rows of numbers for the lines that have some, and columns wide enough for them.
  void set_figures(const FunctionLines& function) {
    const std::int64_t total = time_of(function);
    for (const LineFigures& line : function.lines) {
      std::vector<std::string> cells = figures_of(line, total);
      for (std::size_t i = 0; i < cells.size(); ++i) {
        columns_[i + 1].width = std::max(columns_[i + 1].width, cells[i].size());
      }
      figures_.insert_or_assign(line.line, std::move(cells));
    }
  }

  std::string head() const {
    std::string text;
    for (const Column& column : columns_) append_cell(text, column.title, column.width);
    text += "  Line Contents";
    return fmt::format("\n{}\n{}\n", text, std::string(text.size(), '='));
  }

  std::string row(std::uint32_t number, std::string_view contents) const {
    std::string text;
    append_cell(text, std::to_string(number), columns_[0].width);
    const auto found = figures_.find(number);
    for (std::size_t i = 1; i < columns_.size(); ++i) {
      append_cell(text, found == figures_.end() ? "" : found->second[i - 1], columns_[i].width);
    }
    if (options_.rich) text = paint_numbers(text);
    return fmt::format("{}  {}\n", text, contents);
  }

  bool has_figures(std::uint32_t number) const { return figures_.contains(number); }

 private:
  static void append_cell(std::string& text, std::string_view cell, std::size_t width) {
    if (!text.empty()) text += ' ';
    text.append(width - std::min(width, cell.size()), ' ').append(cell);
  }

  // Falls back to an exponent where a number is wider than its column.
  static std::string fitted(double number, std::size_t width) {
    std::string text = formatted("%5.1f", number);
    return text.size() > width ? formatted("%5.3g", number) : text;
  }

  static std::string share(std::int64_t part, std::int64_t whole) {
    if (whole == 0) return "";
    return formatted("%5.1f", static_cast<double>(part) * 100 / static_cast<double>(whole));
  }

  std::vector<std::string> figures_of(const LineFigures& line, std::int64_t total) const {
    std::vector<std::string> cells;
    // Sampled only: the exact columns stay empty.
    const bool has_run = line.hits != 0 || line.time != 0;
    if (has_run) {
      const std::string hits = formatted("%lld", static_cast<long long>(line.hits));
      const double time = static_cast<double>(line.time) * scalar_;
      const bool is_long = hits.size() > 9;
      cells.push_back(is_long ? formatted("%g", static_cast<double>(line.hits)) : hits);
      cells.push_back(fitted(time, 12));
      const double per_hit = time / static_cast<double>(line.hits);
      if (!table_.is_sampled) cells.push_back(line.hits == 0 ? "" : fitted(per_hit, 8));
      cells.push_back(share(line.time, total));
    } else {
      cells.resize(table_.is_sampled ? 3 : 4);
    }
    const std::int64_t sampled = line.python + line.native + line.wait;
    for (const LineColumn column : options_.columns) {
      switch (column) {
        case LineColumn::kSelf:
          cells.push_back(has_run ? fitted(static_cast<double>(line.self) * scalar_, 12) : "");
          break;
        case LineColumn::kPython: cells.push_back(share(line.python, sampled)); break;
        case LineColumn::kNative: cells.push_back(share(line.native, sampled)); break;
        case LineColumn::kWait: cells.push_back(share(line.wait, sampled)); break;
        case LineColumn::kSamples:
          cells.push_back(line.samples == 0 ? "" : std::to_string(line.samples));
          break;
      }
    }
    return cells;
  }

  const FunctionLinesTable& table_;
  const LinesOptions& options_;
  double scalar_;
  std::vector<Column> columns_;
  std::map<std::uint32_t, std::vector<std::string>> figures_;
};

// Cells of a notebook have no file any more.
bool is_generated(const std::string& file) {
  std::error_code ignored;
  const std::string folder = std::filesystem::temp_directory_path(ignored).string();
  return file.starts_with("<generated") || file.starts_with("<ipython-input-") ||
         file.starts_with(folder + "/ipykernel_") || file.starts_with(folder + "/xpython_");
}

std::string head_of(const FunctionLines& function, bool has_file) {
  const std::string file = printable(function.file);
  if (!has_file) {
    return fmt::format(
        "\nCould not find file {}\n"
        "Are you sure you are running this program from the same directory\n"
        "that you ran the profiler from?\n"
        "Continuing without the function's contents.\n",
        file);
  }
  std::string text = fmt::format("File: {}\nFunction: {} at line {}\n", file,
                                 printable(function.name), function.first_line);
  if (!function.engine.empty()) {
    text += fmt::format("Measured by {}{}{}\n", printable(function.engine),
                        function.reason.empty() ? "" : ": ", printable(function.reason));
  }
  return text;
}

// Without a source, line_profiler shows as many rows as this.
std::uint32_t rows_without_source(const FunctionLines& function) {
  if (function.lines.empty()) return 1;
  const auto [first, last] =
      std::minmax_element(function.lines.begin(), function.lines.end(),
                          [](const auto& a, const auto& b) { return a.line < b.line; });
  return last->line - std::min(first->line, function.first_line) + 1;
}

class LinesWriter {
 public:
  LinesWriter(const FunctionLinesTable& table, const LinesOptions& options,
              const ReadSource& read_source)
      : table_(table), options_(options), read_source_(read_source) {}

  std::string function_text(const FunctionLines& raw) const {
    std::error_code ignored;
    const auto source = read_source_(raw.file);
    const bool has_file =
        source || is_generated(raw.file) || std::filesystem::exists(raw.file, ignored);
    const FunctionLines function =
        options_.statements && source ? merge_statements(raw, *source) : raw;
    FunctionTable table(table_, options_);
    table.set_figures(function);
    const double seconds = static_cast<double>(time_of(function)) * table_.unit;
    std::string text = formatted("Total time: %g s\n", seconds);
    text += head_of(function, has_file) + table.head();

    std::vector<std::string> contents = block_of(function, source);
    const std::size_t rows = std::max<std::size_t>(
        contents.size(),
        has_file ? 0 : std::min(rows_without_source(function), kMostRowsWithoutSource));
    append_rows(text, table, function, contents, rows);
    return text + (options_.rich ? "\n\n" : "\n");
  }

 private:
  // From the first line to the end of the function, or to the last line that was measured:
  // the block of a module is only its first function.
  static std::vector<std::string> block_of(const FunctionLines& function,
                                           const std::optional<std::vector<std::string>>& source) {
    const std::size_t first = std::max(function.first_line, 1U) - 1;
    if (!source || first >= source->size()) return {};
    const auto rest = std::span(*source).subspan(first);
    std::size_t size = block_size(rest);
    for (const LineFigures& line : function.lines) {
      if (line.line > first) size = std::max<std::size_t>(size, line.line - first);
    }
    const auto block = rest.first(std::min(size, rest.size()));
    return {block.begin(), block.end()};
  }

  void append_rows(std::string& text, const FunctionTable& table, const FunctionLines& function,
                   const std::vector<std::string>& contents, std::size_t rows) const {
    const std::vector<std::string> painted =
        options_.rich ? paint_python(contents) : std::vector<std::string>();
    for (std::size_t i = 0; i < rows; ++i) {
      const auto number = static_cast<std::uint32_t>(function.first_line + i);
      const bool has_contents = i < contents.size();
      text += table.row(number, !has_contents   ? ""
                                : options_.rich ? painted[i]
                                                : printable_source(contents[i]));
    }
    // What the source, which may have changed, has no line for.
    std::vector<std::uint32_t> beyond;
    for (const LineFigures& line : function.lines) {
      if (line.line >= function.first_line + rows) beyond.push_back(line.line);
    }
    std::sort(beyond.begin(), beyond.end());
    beyond.erase(std::unique(beyond.begin(), beyond.end()), beyond.end());
    for (const std::uint32_t number : beyond) text += table.row(number, "");
  }

  const FunctionLinesTable& table_;
  const LinesOptions& options_;
  const ReadSource& read_source_;
};

std::string summary_line(const FunctionLines& function, double unit, bool rich) {
  const std::string seconds = formatted("%6.2f", static_cast<double>(time_of(function)) * unit);
  return fmt::format("{} seconds - {}:{} - {}\n", rich ? paint_numbers(seconds) : seconds,
                     printable(function.file), function.first_line, printable(function.name));
}

}  // namespace

Result<std::string> lines_text(const FunctionLinesTable& table, const LinesOptions& options,
                               const ReadSource& read_source) {
  std::string text = formatted("Timer unit: %g s\n\n", options.unit);
  const auto functions = ordered_functions(table, options);
  const LinesWriter writer(table, options, read_source);
  for (const FunctionLines* function : functions) {
    if (options.skip_zero && hits_of(*function) == 0) continue;
    text += writer.function_text(*function);
    if (text.size() > kLargestText) {
      return fail(ErrorCode::kTooLarge, "the text takes more than {} MiB; name fewer functions",
                  kLargestText >> 20);
    }
  }
  if (!options.summarize) return text;
  for (const FunctionLines* function : functions) {
    if (options.skip_zero && time_of(*function) == 0) continue;
    text += summary_line(*function, table.unit, options.rich);
  }
  return text;
}

}  // namespace pyrometer

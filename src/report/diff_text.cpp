#include <algorithm>
#include <cmath>

#include "base/format_value.h"
#include "report/diff_report.h"
#include "report/text_table.h"

namespace pyrometer {
namespace {

std::string value_cell(Unit unit, const std::optional<double>& value) {
  return value ? format_value(unit, std::llround(*value)) : "";
}

std::string percent_cell(const DiffRow& row) {
  const auto relative = row.relative();
  return relative && row.after ? fmt::format("{:+.1f} %", 100 * *relative) : "";
}

// What a reader should know of a row before they trust it.
std::string note_of(const DiffRow& row) {
  if (!row.before) return "new";
  if (!row.after) return "gone";
  if (row.change() != 0 && !row.is_sure()) return "noise";
  return row.is_edited ? "edited" : "";
}

std::string place_of(const DiffRow& row) {
  const std::uint32_t line = row.line == 0 ? row.first_line : row.line;
  if (row.file.empty() || row.file == "~") return "";
  std::string place = line == 0 ? row.file : fmt::format("{}:{}", row.file, line);
  const bool has_moved = row.before && row.after && row.line != 0 && row.line != row.old_line;
  return has_moved ? fmt::format("{} (was {})", place, row.old_line) : place;
}

std::string hits_cell(const DiffRow& row) {
  if (!row.hits_before || !row.hits_after || *row.hits_before == *row.hits_after) {
    return format_count(std::llround(row.hits_after.value_or(row.hits_before.value_or(0))));
  }
  return fmt::format("{} -> {}", format_count(std::llround(*row.hits_before)),
                     format_count(std::llround(*row.hits_after)));
}

std::string paint(const DiffRow& row, const std::string& text, const Style& style) {
  if (!row.is_sure()) return style.dim(text);
  return row.change() > 0 ? style.red(text) : style.green(text);
}

std::string head(const Diff& diff, const Style& style) {
  const Unit unit = diff.metric.unit;
  const DiffRow& total = diff.total;
  std::string out = fmt::format("{}  {} -> {} {}   {}", style.bold("pyrometer diff"),
                                value_cell(unit, total.before), value_cell(unit, total.after),
                                diff.metric.name, format_change(unit, total.change()));
  if (const std::string percent = percent_cell(total); !percent.empty()) {
    out += fmt::format(" ({})", percent);
  }
  if (total.change() != 0 && !total.is_sure()) {
    out += fmt::format(", within {} of noise", format_value(unit, std::llround(total.margin)));
  }
  out += "\n";
  if (diff.scale != 1) {
    out += style.dim(fmt::format("  shares are compared: values after are multiplied by {:.4g}, "
                                 "so that the totals are equal",
                                 diff.scale)) +
           "\n";
  }
  return out;
}

struct Shown {
  std::vector<const DiffRow*> rows;
  std::size_t noise = 0, unchanged = 0, more = 0;
};

Shown choose_rows(const Diff& diff, const DiffReportOptions& options) {
  Shown shown;
  for (const DiffRow& row : diff.rows) {
    const bool is_wanted = options.all || row.is_sure();
    if (is_wanted && options.limit && shown.rows.size() >= *options.limit) {
      ++shown.more;
    } else if (is_wanted) {
      shown.rows.push_back(&row);
    } else {
      ++(row.change() == 0 ? shown.unchanged : shown.noise);
    }
  }
  return shown;
}

std::string table_of(const Diff& diff, const std::vector<const DiffRow*>& rows,
                     const Style& style) {
  const bool has_lines =
      std::any_of(rows.begin(), rows.end(), [](const DiffRow* row) { return row->line != 0; });
  const bool has_hits = std::any_of(rows.begin(), rows.end(), [](const DiffRow* row) {
    return row->hits_before.value_or(0) != 0 || row->hits_after.value_or(0) != 0;
  });
  constexpr auto kLeft = TextTable::Align::kLeft;
  std::vector<TextTable::Column> columns{{"before"}, {"after"}, {"change"}, {"%"}, {"", kLeft}};
  if (has_hits) columns.push_back({has_lines ? "hits" : "calls"});
  columns.push_back({"function", kLeft});
  columns.push_back({"where", kLeft});
  if (has_lines) columns.push_back({"source", kLeft});
  TextTable table(std::move(columns));
  const Unit unit = diff.metric.unit;
  for (const DiffRow* row : rows) {
    std::vector<std::string> cells{value_cell(unit, row->before), value_cell(unit, row->after),
                                   format_change(unit, row->change()), percent_cell(*row),
                                   note_of(*row)};
    if (has_hits) cells.push_back(hits_cell(*row));
    cells.push_back(row->name);
    cells.push_back(place_of(*row));
    if (has_lines) cells.push_back(row->text);
    table.add_row(std::move(cells));
  }
  // The first line is the head of the table.
  std::string out;
  std::size_t number = 0;
  const std::string text = table.render(style);
  for (std::size_t begin = 0; begin < text.size(); ++number) {
    const std::size_t end = text.find('\n', begin);
    const std::string line = text.substr(begin, end - begin);
    out += (number == 0 ? line : paint(*rows[number - 1], line, style)) + "\n";
    begin = end + 1;
  }
  return out;
}

}  // namespace

std::string format_change(Unit unit, double change) {
  const std::string text = format_value(unit, std::llround(change));
  return change > 0 ? "+" + text : text;
}

std::string diff_text(const Diff& diff, const DiffReportOptions& options) {
  const Style style(options.use_color);
  const Shown shown = choose_rows(diff, options);
  std::string out = head(diff, style);
  if (shown.rows.empty()) {
    out += "\nNothing changed that can be told from noise.\n";
  } else {
    out += "\n" + table_of(diff, shown.rows, style);
  }
  const auto say = [&](std::size_t count, std::string_view what, std::string_view how) {
    if (count > 0) out += style.dim(fmt::format("  … {} {}; {}", count, what, how)) + "\n";
  };
  say(shown.more, "more", "--limit 0 shows all");
  say(shown.noise, "within the noise of sampling or of the runs", "--all shows them");
  return out;
}

}  // namespace pyrometer

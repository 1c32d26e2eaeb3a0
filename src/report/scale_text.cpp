#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "base/format_value.h"
#include "report/scale_report.h"
#include "report/text_table.h"

namespace pyrometer {
namespace {

constexpr auto kLeft = TextTable::Align::kLeft;

std::string number_cell(const Scaling& scaling, ScalingField field, std::optional<double> value) {
  if (!value) return "";
  switch (field) {
    case ScalingField::kSpeedup: return fmt::format("{:.2f}", *value);
    case ScalingField::kTime: return format_value(scaling.metric.unit, std::llround(*value));
    case ScalingField::kHits: return format_count(std::llround(*value));
    case ScalingField::kEfficiency:
    case ScalingField::kSerial:
    case ScalingField::kLoss: return format_percent(*value);
  }
  return "";
}

std::string words_of(ScalingField field) {
  switch (field) {
    case ScalingField::kSpeedup: return "speed-up";
    case ScalingField::kSerial: return "serial fraction";
    case ScalingField::kLoss: return "scaling loss";
    default: return std::string(name_of(field));
  }
}

std::string head(const Scaling& scaling, const Style& style) {
  return fmt::format("{}  {} scaling of the {} {} over {} processes, against {}\n",
                     style.bold("pyrometer scale"), scaling.is_weak ? "weak" : "strong",
                     scaling.metric.name,
                     scaling.time == RankTime::kMax ? "of the slowest rank" : "of all ranks",
                     fmt::join(scaling.counts, ", "), scaling.counts[scaling.reference]);
}

std::string totals(const Scaling& scaling, const Style& style) {
  std::vector<TextTable::Column> columns{{"total", kLeft}};
  for (const std::int64_t count : scaling.counts) columns.push_back({std::to_string(count)});
  TextTable table(std::move(columns));
  for (const ScalingField field :
       {ScalingField::kTime, ScalingField::kSpeedup, ScalingField::kEfficiency,
        ScalingField::kSerial, ScalingField::kLoss}) {
    std::vector<std::string> cells{words_of(field)};
    for (std::size_t run = 0; run < scaling.counts.size(); ++run) {
      cells.push_back(
          number_cell(scaling, field, field_of(scaling, scaling.total, run, field, false)));
    }
    table.add_row(std::move(cells));
  }
  return table.render(style);
}

// "0.41 s + 19.1 s / p + 21 ms log2 p"
std::string formula_of(const ScalingModel& model, Unit unit) {
  const auto term = [&](double value, std::string_view of_count) {
    return format_value(unit, std::llround(value)) + std::string(of_count);
  };
  std::vector<std::string> terms;
  if (model.constant > 0) terms.push_back(term(model.constant, ""));
  if (model.parallel > 0) terms.push_back(term(model.parallel, " / p"));
  if (model.logarithmic > 0) terms.push_back(term(model.logarithmic, " · log2 p"));
  if (model.linear > 0) terms.push_back(term(model.linear, " · p"));
  return terms.empty() ? "0" : fmt::format("{}", fmt::join(terms, " + "));
}

std::string model_lines(const Scaling& scaling) {
  const ScalingFit& fit = scaling.total.fit;
  if (!fit.model) return fmt::format("  no model: {}\n", fit.reason);
  const ScalingModel& model = *fit.model;
  std::string out =
      fmt::format("  model: time = {}   (counts left out are met within {})\n",
                  formula_of(model, scaling.metric.unit), format_percent(model.error));
  if (scaling.is_weak) return out;
  const double alone = model.time(1);
  out += fmt::format("  serial: {}, {} of the time on one process",
                     format_value(scaling.metric.unit, std::llround(model.constant)),
                     format_percent(alone > 0 ? model.constant / alone : 0));
  if (const auto fastest = model.fastest_count()) {
    out += fmt::format("; stops scaling at {:.0f} processes, speed-up {:.1f} over one", *fastest,
                       alone / model.time(*fastest));
  } else {
    out += fmt::format("; still scales at {:.0f} processes, and nothing is said beyond",
                       model.largest_count);
  }
  return out + "\n";
}

std::string place_of(const CostRow& row) {
  if (row.file.empty() || row.file == "~") return "";
  const std::uint32_t line = row.line == 0 ? row.first_line : row.line;
  return line == 0 ? row.file : fmt::format("{}:{}", row.file, line);
}

std::string stripped(const std::string& text) {
  const std::size_t begin = text.find_first_not_of(" \t\f");
  return begin == std::string::npos ? "" : text.substr(begin);
}

std::string rows_table(const Scaling& scaling, const ScaleReportOptions& options,
                       const Style& style) {
  const std::size_t largest = scaling.largest();
  std::vector<TextTable::Column> columns;
  for (const std::int64_t count : scaling.counts) columns.push_back({std::to_string(count)});
  columns.push_back({fmt::format("time at {}", scaling.counts[largest])});
  columns.push_back({scaling.is_of_lines ? "hits" : "calls"});
  columns.push_back({"loss"});
  columns.push_back({"function", kLeft});
  columns.push_back({"where", kLeft});
  if (scaling.is_of_lines) columns.push_back({"source", kLeft});
  TextTable table(std::move(columns));
  const std::size_t shown =
      std::min(scaling.rows.size(), options.limit.value_or(scaling.rows.size()));
  for (std::size_t i = 0; i < shown; ++i) {
    const ScalingRow& row = scaling.rows[i];
    const auto cell = [&](std::size_t run, ScalingField field, bool scaled) {
      return number_cell(scaling, field, field_of(scaling, row, run, field, scaled));
    };
    std::vector<std::string> cells;
    for (std::size_t run = 0; run < scaling.counts.size(); ++run) {
      cells.push_back(cell(run, options.field, options.scaled));
    }
    cells.push_back(cell(largest, ScalingField::kTime, false));
    cells.push_back(cell(largest, ScalingField::kHits, false));
    cells.push_back(cell(largest, ScalingField::kLoss, false));
    cells.push_back(row.place.name);
    cells.push_back(place_of(row.place));
    if (scaling.is_of_lines) cells.push_back(stripped(options.text(row.place)));
    table.add_row(std::move(cells));
  }
  std::string out = fmt::format(
      "{} of {}, most expensive first, by {} at {} processes{}\n", words_of(options.field),
      scaling.is_of_lines ? "lines" : "functions", name_of(options.order), scaling.counts[largest],
      options.scaled ? fmt::format(", scaled to {}", scaling.counts[scaling.reference]) : "");
  out += table.render(style);
  if (shown < scaling.rows.size()) {
    out += style.dim(fmt::format("  … {} more; --limit 0 shows all", scaling.rows.size() - shown)) +
           "\n";
  }
  return out;
}

}  // namespace

std::string_view name_of(ScalingField field) {
  switch (field) {
    case ScalingField::kSpeedup: return "speedup";
    case ScalingField::kEfficiency: return "efficiency";
    case ScalingField::kTime: return "time";
    case ScalingField::kHits: return "hits";
    case ScalingField::kSerial: return "serial";
    case ScalingField::kLoss: return "loss";
  }
  return "?";
}

std::string_view name_of(ScalingOrder order) {
  switch (order) {
    case ScalingOrder::kTime: return "time";
    case ScalingOrder::kHits: return "hits";
    case ScalingOrder::kPerHit: return "per-hit";
    case ScalingOrder::kPercent: return "percent";
    case ScalingOrder::kLoss: return "loss";
  }
  return "?";
}

std::string scale_text(const Scaling& scaling, const ScaleReportOptions& options) {
  const Style style(options.use_color);
  return head(scaling, style) + "\n" + totals(scaling, style) + model_lines(scaling) + "\n" +
         rows_table(scaling, options, style);
}

}  // namespace pyrometer

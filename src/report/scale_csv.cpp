// The tables of a scaling study for other programs: with commas, and with the bars of Kratos.
#include <algorithm>

#include "base/printable.h"
#include "report/scale_report.h"

namespace pyrometer {
namespace {

// A count of calls or bytes has no smaller unit.
double in_seconds(const Scaling& scaling, double value) {
  return scaling.metric.unit == Unit::kNanoseconds ? value / 1e9 : value;
}

std::optional<double> value_of(const Scaling& scaling, const ScalingRow& row, std::size_t run,
                               const ScaleReportOptions& options) {
  auto value = field_of(scaling, row, run, options.field, options.scaled);
  if (value && options.field == ScalingField::kTime) value = in_seconds(scaling, *value);
  return value;
}

std::span<const ScalingRow> first_rows(const Scaling& scaling, const ScaleReportOptions& options) {
  const std::size_t all = scaling.rows.size();
  return std::span(scaling.rows).first(std::min(all, options.limit.value_or(all)));
}

// As Python prints a float: the shortest text that is read as the same number.
std::string as_float(double value) {
  const std::string text = fmt::format("{}", value);
  return text.find_first_of(".en") == std::string::npos ? text + ".0" : text;
}

std::string as_csv(std::string_view cell) {
  std::string text = printable(cell);
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  for (std::size_t i = text.find('"'); i != std::string::npos; i = text.find('"', i + 2)) {
    text.insert(i, 1, '"');
  }
  return '"' + text + '"';
}

void append_value(std::string& out, char separator, const std::optional<double>& value) {
  out += separator;
  if (value) out += fmt::format("{}", *value);
}

}  // namespace

std::string scale_csv(const Scaling& scaling, const ScaleReportOptions& options) {
  const std::size_t largest = scaling.largest();
  std::string out = "file,function,line,source";
  for (const std::int64_t count : scaling.counts) {
    out += fmt::format(",{}_{}", name_of(options.field), count);
  }
  const bool is_time = scaling.metric.unit == Unit::kNanoseconds;
  out += fmt::format(",{},hits,loss\n", is_time ? "seconds" : "value");
  for (const ScalingRow& row : first_rows(scaling, options)) {
    const CostRow& place = row.place;
    out +=
        fmt::format("{},{},{},{}", as_csv(place.file), as_csv(place.name),
                    place.line == 0 ? place.first_line : place.line, as_csv(options.text(place)));
    for (std::size_t run = 0; run < scaling.counts.size(); ++run) {
      append_value(out, ',', value_of(scaling, row, run, options));
    }
    const std::optional<ScalingPoint>& last = row.points[largest];
    append_value(out, ',', last ? std::optional(in_seconds(scaling, last->time)) : std::nullopt);
    append_value(out, ',', last ? std::optional(last->hits) : std::nullopt);
    append_value(out, ',', last ? last->loss : std::nullopt);
    out += '\n';
  }
  return out;
}

std::string scale_kratos(const Scaling& scaling, const ScaleReportOptions& options) {
  const std::size_t largest = scaling.largest();
  std::string out;
  for (const ScalingRow& row : first_rows(scaling, options)) {
    const CostRow& place = row.place;
    const std::string content = options.text(place);
    out += fmt::format("{}:{}:{}:{}", printable(place.file.substr(place.file.rfind('/') + 1)),
                       printable(place.name), place.line == 0 ? place.first_line : place.line,
                       content.empty() ? "" : " " + printable(content));
    for (std::size_t run = 0; run < scaling.counts.size(); ++run) {
      const auto value = value_of(scaling, row, run, options);
      const bool is_count = options.field == ScalingField::kHits;
      out += '|';
      if (value) out += is_count ? fmt::format("{}", *value) : as_float(*value);
    }
    const std::optional<ScalingPoint>& last = row.points[largest];
    out += '|';
    if (last) out += as_float(in_seconds(scaling, last->time));
    append_value(out, '|', last ? std::optional(last->hits) : std::nullopt);
    out += '\n';
  }
  out += '{';
  for (std::size_t run = 0; run < scaling.counts.size(); ++run) {
    const auto speedup = scaling.total.points[run]->speedup;
    const std::string value = run == scaling.reference ? "1" : as_float(speedup.value_or(0));
    out += fmt::format("{}{}: {}", run == 0 ? "" : ", ", scaling.counts[run], value);
  }
  return out + "}\n";
}

}  // namespace pyrometer

#include <algorithm>

#include "base/json_writer.h"
#include "report/scale_report.h"

namespace pyrometer {
namespace {

void write_optional(JsonWriter& json, std::string_view name, const std::optional<double>& value) {
  json.key(name);
  value ? json.value(*value) : json.null();
}

void write_points(JsonWriter& json, const Scaling& scaling, const ScalingRow& row) {
  json.key("points").begin_array();
  for (std::size_t run = 0; run < scaling.counts.size(); ++run) {
    const std::optional<ScalingPoint>& point = row.points[run];
    if (!point) {
      json.null();
      continue;
    }
    json.begin_object().member("time", point->time).member("hits", point->hits);
    write_optional(json, "speedup", point->speedup);
    write_optional(json, "efficiency", point->efficiency);
    write_optional(json, "serial_fraction", point->serial);
    write_optional(json, "loss", point->loss);
    json.end_object();
  }
  json.end_array();
  json.key("model");
  if (!row.fit.model) {
    json.null();
    return;
  }
  const ScalingModel& model = *row.fit.model;
  json.begin_object().member("constant", model.constant).member("parallel", model.parallel);
  json.member("logarithmic", model.logarithmic).member("linear", model.linear);
  json.member("error", model.error).member("largest_count", model.largest_count);
  write_optional(json, "fastest_count", model.fastest_count());
  json.end_object();
}

}  // namespace

std::string scale_json(const Scaling& scaling, const ScaleReportOptions& options) {
  JsonWriter json;
  json.begin_object().member("schema_version", 1).member("kind", "pyrometer-scale");
  json.member("metric", scaling.metric.name).member("unit", name_of(scaling.metric.unit));
  json.member("sampled", scaling.is_sampled).member("scaling", scaling.is_weak ? "weak" : "strong");
  json.member("time", scaling.time == RankTime::kMax ? "max" : "sum");
  json.key("counts").begin_array();
  for (const std::int64_t count : scaling.counts) json.value(count);
  json.end_array().member("reference", scaling.counts[scaling.reference]);
  json.key("total").begin_object();
  write_points(json, scaling, scaling.total);
  if (!scaling.total.fit.model) json.member("no_model", scaling.total.fit.reason);
  json.end_object().key("rows").begin_array();
  const std::size_t all = scaling.rows.size();
  for (std::size_t i = 0; i < std::min(all, options.limit.value_or(all)); ++i) {
    const ScalingRow& row = scaling.rows[i];
    json.begin_object().member("name", row.place.name).member("file", row.place.file);
    json.member("first_line", row.place.first_line);
    if (row.place.line != 0) {
      json.member("line", row.place.line).member("source", options.text(row.place));
    }
    write_points(json, scaling, row);
    json.end_object();
  }
  json.end_array().end_object();
  return json.take();
}

}  // namespace pyrometer

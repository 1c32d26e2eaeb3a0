#include "base/json_writer.h"
#include "report/diff_report.h"

namespace pyrometer {
namespace {

void write_optional(JsonWriter& json, std::string_view name, const std::optional<double>& value) {
  json.key(name);
  value ? json.value(*value) : json.null();
}

void write_values(JsonWriter& json, const DiffRow& row) {
  write_optional(json, "before", row.before);
  write_optional(json, "after", row.after);
  json.member("change", row.change());
  write_optional(json, "relative", row.relative());
  json.member("margin", row.margin).member("sure", row.is_sure());
}

}  // namespace

std::string diff_json(const Diff& diff, std::optional<bool> has_failed) {
  JsonWriter json;
  json.begin_object().member("schema_version", 1).member("kind", "pyrometer-diff");
  json.member("metric", diff.metric.name).member("unit", name_of(diff.metric.unit));
  json.member("sampled", diff.is_sampled).member("scale", diff.scale);
  if (has_failed) json.member("failed", *has_failed);
  json.key("total").begin_object();
  write_values(json, diff.total);
  json.end_object().key("rows").begin_array();
  for (const DiffRow& row : diff.rows) {
    json.begin_object().member("name", row.name).member("file", row.file);
    json.member("first_line", row.first_line);
    if (row.line != 0) {
      json.member("line", row.line);
      if (row.old_line != 0) json.member("old_line", row.old_line);
      json.member("edited", row.is_edited).member("source", row.text);
    }
    write_values(json, row);
    write_optional(json, "hits_before", row.hits_before);
    write_optional(json, "hits_after", row.hits_after);
    json.end_object();
  }
  json.end_array().end_object();
  return json.take();
}

}  // namespace pyrometer

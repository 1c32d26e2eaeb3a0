#include <algorithm>
#include <cmath>

#include "base/json_writer.h"
#include "report/lines_text.h"

namespace pyrometer {
namespace {

std::int64_t scaled(std::int64_t time, double unit) {
  if (unit == 1e-9) return time;
  constexpr double kLimit = 9e18;  // what hostile files say may be beyond all times
  const double nanoseconds = std::clamp(static_cast<double>(time) * unit * 1e9, -kLimit, kLimit);
  return std::llround(nanoseconds);
}

}  // namespace

Result<std::string> lines_json(const FunctionLinesTable& table, const LinesOptions& options,
                               const ReadSource& read_source) {
  JsonWriter json;
  json.begin_object().member("schema_version", 1).member("kind", "pyrometer-lines");
  json.member("exact", !table.is_sampled).key("functions").begin_array();
  for (const FunctionLines* raw : ordered_functions(table, options)) {
    if (options.skip_zero && hits_of(*raw) == 0) continue;
    const auto source = read_source(raw->file);
    const FunctionLines function =
        options.statements && source ? merge_statements(*raw, *source) : *raw;
    json.begin_object().member("file", function.file).member("first_line", function.first_line);
    json.member("name", function.name);
    json.member("time_ns", scaled(time_of(function), table.unit));
    if (!function.engine.empty()) {
      json.member("engine", function.engine).member("reason", function.reason);
    }
    json.key("lines").begin_array();
    for (const LineFigures& line : function.lines) {
      json.begin_object().member("line", line.line);
      if (!table.is_sampled) json.member("hits", line.hits);
      json.member("time_ns", scaled(line.time, table.unit));
      if (table.has_self) json.member("self_ns", scaled(line.self, table.unit));
      if (table.has_samples || table.is_sampled) {
        json.member("samples", line.samples).member("python_ns", line.python);
        json.member("native_ns", line.native).member("wait_ns", line.wait);
      }
      const bool has_source = source && line.line >= 1 && line.line <= source->size();
      if (has_source) json.member("source", (*source)[line.line - 1]);
      json.end_object();
    }
    json.end_array().end_object();
  }
  json.end_array().end_object();
  return json.take();
}

}  // namespace pyrometer

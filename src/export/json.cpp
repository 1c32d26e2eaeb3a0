// Everything in one document, table by table; rows refer to each other by index.
// docs/export.schema.json describes it.
#include "base/json_writer.h"
#include "export/exporter.h"

namespace pyrometer {
namespace {

constexpr int kSchemaVersion = 1;

void write_functions(JsonWriter& json, const Profile& profile) {
  json.key("functions").begin_array();
  for (const Function& function : profile.functions) {
    json.begin_object().member("name", profile.text(function.name));
    json.member("qualified_name", profile.text(function.qualified_name));
    json.member("file", profile.text(function.file));
    json.member("module_file", profile.text(function.short_file));
    json.member("line", function.first_line).member("kind", name_of(function.kind));
    json.member("id", function.id.to_string()).end_object();
  }
  json.end_array();
}

void write_nodes(JsonWriter& json, const Profile& profile) {
  json.key("nodes").begin_array();
  for (const Node& node : profile.nodes) {
    json.begin_object().key("parent");
    node.parent.is_none() ? json.null() : json.value(node.parent.row());
    json.member("function", node.function.row()).member("line", node.line);
    json.member("id", node.id.to_string()).end_object();
  }
  json.end_array();
}

void write_processes(JsonWriter& json, const Profile& profile) {
  json.key("processes").begin_array();
  for (const Process& process : profile.processes) {
    json.begin_object().key("rank");
    process.rank < 0 ? json.null() : json.value(process.rank);
    json.member("host", process.host).member("pid", process.pid);
    json.member("start_ns", process.start).member("duration_ns", process.duration);
    json.member("source", process.source).end_object();
  }
  json.end_array().key("threads").begin_array();
  for (const Thread& thread : profile.threads) {
    json.begin_object().member("process", thread.process.row());
    json.member("name", profile.text(thread.name)).member("tid", thread.tid);
    json.member("class", name_of(thread.thread_class)).end_object();
  }
  json.end_array();
}

// Rows of [thread, node, value] per metric, of [thread, function, line, value] for lines,
// of [thread, caller, callee, self, total] for call edges.
void write_values(JsonWriter& json, const Profile& profile) {
  json.key("metrics").begin_array();
  for (std::size_t metric = 0; metric < profile.metrics.size(); ++metric) {
    const auto is_here = [metric](const auto& value) { return value.metric.row() == metric; };
    json.begin_object().member("name", profile.metrics[metric].name);
    json.member("unit", name_of(profile.metrics[metric].unit));
    json.member("combine", name_of(profile.metrics[metric].combine));
    json.key("values").begin_array();
    for (std::size_t thread = 0; thread < profile.thread_cells.size(); ++thread) {
      for (const Cell& cell : profile.thread_cells[thread][metric]) {
        json.begin_array().value(thread).value(cell.node.row()).value(cell.value).end_array();
      }
    }
    json.end_array().key("lines").begin_array();
    for (const LineValue& line : profile.line_values) {
      if (!is_here(line)) continue;
      json.begin_array().value(line.thread.row()).value(line.function.row()).value(line.line);
      json.value(line.value).end_array();
    }
    json.end_array().key("edges").begin_array();
    for (const FlatValue& flat : profile.flat_values) {
      if (!is_here(flat)) continue;
      json.begin_array().value(flat.thread.row());
      flat.caller.is_none() ? json.null() : json.value(flat.caller.row());
      json.value(flat.callee.row()).value(flat.self).value(flat.total).end_array();
    }
    json.end_array().end_object();
  }
  json.end_array();
}

// Times count from when the process began.
void write_events(JsonWriter& json, const Profile& profile) {
  json.key("counters").begin_array();
  for (const CounterSeries& series : profile.counters) {
    const std::int64_t begin = profile.processes[series.process.row()].clock;
    json.begin_object().member("process", series.process.row());
    json.member("name", profile.text(series.name)).member("unit", name_of(series.unit));
    json.key("points").begin_array();
    for (const auto& [time, value] : series.points) {
      json.begin_array().value(time - begin).value(value).end_array();
    }
    json.end_array().end_object();
  }
  json.end_array().key("regions").begin_array();
  for (const Region& region : profile.regions) {
    const Thread& thread = profile.threads[region.thread.row()];
    const std::int64_t begin = profile.processes[thread.process.row()].clock;
    json.begin_object().member("thread", region.thread.row());
    json.member("name", profile.text(region.name)).member("start_ns", region.start - begin);
    json.member("duration_ns", region.duration).member("depth", region.depth);
    json.member("value", region.value).end_object();
  }
  json.end_array();
}

}  // namespace

Result<std::string> export_json(const Overview& overview) {
  const Profile& profile = overview.profile;
  JsonWriter json;
  json.begin_object();
  json.member("schema_version", kSchemaVersion).member("kind", "pyrometer-profile");
  json.member("sampled", profile.is_sampled);
  json.member("paths_estimated", profile.paths_are_estimated);
  write_functions(json, profile);
  write_nodes(json, profile);
  write_processes(json, profile);
  write_values(json, profile);
  write_events(json, profile);
  json.end_object();
  return json.take();
}

}  // namespace pyrometer

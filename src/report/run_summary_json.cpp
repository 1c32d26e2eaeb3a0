#include "base/json_writer.h"
#include "report/run_summary.h"

namespace pyrometer {
namespace {

void write_texts(JsonWriter& json, std::string_view name, const std::vector<std::string>& texts) {
  json.key(name).begin_array();
  for (const std::string& text : texts) json.value(text);
  json.end_array();
}

void write_summary(JsonWriter& json, const RunSummary& summary) {
  json.member("wall", summary.wall);
  if (summary.paused > 0) json.member("paused", summary.paused);
  json.member("cpu", summary.cpu);
  json.key("shares").begin_array();
  for (const auto& share : summary.shares) {
    json.begin_object().member("kind", share.id).member("value", share.value);
    json.member("percent", share.percent).end_object();
  }
  json.end_array();
  json.member("processes", summary.processes).member("threads", summary.threads);
  json.member("ranks", summary.ranks).key("idle_ranks").begin_array();
  for (const std::int64_t rank : summary.idle_ranks) json.value(rank);
  json.end_array();
  json.key("hot_spots").begin_array();
  for (const auto& spot : summary.hot_spots) {
    json.begin_object().member("function", spot.function).member("place", spot.place);
    json.member("share", spot.share).member("line", spot.line);
    json.member("line_share", spot.line_share).member("source", spot.source).end_object();
  }
  json.end_array().key("functions").begin_array();
  for (const auto& row : summary.rows) {
    json.begin_object().member("function", row.function).member("kind", name_of(row.kind));
    json.member("place", row.place).member("called_from", row.called_from);
    json.member("self", row.self).member("total", row.total);
    json.member("calls", row.calls).end_object();
  }
  json.end_array()
      .member("calls", summary.calls)
      .member("line_functions", summary.line_functions)
      .member("line_hits", summary.line_hits)
      .member("samples", summary.samples)
      .member("rejected", summary.rejected);
  json.member("lost", summary.lost).member("lowest_rate", summary.lowest_rate);
  json.member("highest_rate", summary.highest_rate).key("cost");
  if (summary.cost) {
    json.value(*summary.cost);
  } else {
    json.null();
  }
  write_texts(json, "warnings", summary.warnings);
  if (summary.memory) {
    json.key("memory").begin_object().member("heap_peak", summary.memory->heap);
    json.member("resident_peak", summary.memory->resident);
    write_texts(json, "findings", summary.memory->sentences);
    json.end_object();
  }
}

}  // namespace

std::string run_summary_json(const std::optional<RunSummary>& summary, const RunTraces& traces,
                             const RunEnd& end) {
  JsonWriter json;
  json.begin_object().member("schema_version", 1).member("kind", "pyrometer-run");
  json.member("directory", traces.directory);
  write_texts(json, "files", traces.files);
  json.member("status", end.status).member("signal", end.signal);
  write_texts(json, "notices", end.notices);
  json.key("summary");
  if (summary) {
    json.begin_object();
    write_summary(json, *summary);
    json.end_object();
  } else {
    json.null();
  }
  json.end_object();
  return json.take();
}

}  // namespace pyrometer

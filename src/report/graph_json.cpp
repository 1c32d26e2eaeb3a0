#include "report/graph_json.h"

#include <algorithm>

#include "base/json_writer.h"

namespace pyrometer {
namespace {

constexpr int kSchemaVersion = 1;

void write_side(JsonWriter& json, const std::optional<GraphFigures>& side) {
  if (!side) {
    json.null();
    return;
  }
  json.begin_object().member("total", side->total).member("self", side->self);
  json.member("total_share", side->total_share).member("self_share", side->self_share);
  // Below zero stands for unknown, as pyinstrument writes it, or for a difference of profiles.
  json.member("calls", std::max<std::int64_t>(0, side->calls));
  json.member("samples", std::max<std::int64_t>(0, side->samples)).end_object();
}

// One entry per profile: two in comparisons, else one.
void write_figures(JsonWriter& json, const ShareGraph& graph, const GraphSides& sides) {
  json.member("weight", sides.weight).key("figures").begin_array();
  write_side(json, sides.first);
  if (graph.is_comparison) write_side(json, sides.second);
  json.end_array();
}

}  // namespace

std::string graph_json(const ShareGraph& graph, const PrunedNodes& pruned) {
  JsonWriter json;
  json.begin_object().member("schema_version", kSchemaVersion).member("kind", "pyrometer-graph");
  json.member("metric", graph.metric).member("unit", name_of(graph.unit));
  json.member("comparison", graph.is_comparison);
  json.key("hidden").begin_object().member("too_light", pruned.too_light);
  json.member("elsewhere", pruned.elsewhere).member("unrelated", pruned.unrelated);
  json.member("too_many", pruned.too_many).end_object();
  json.key("functions").begin_array();
  for (const GraphNode& node : graph.nodes) {
    json.begin_object().member("name", node.name).member("function", node.function);
    json.member("file", node.file).member("module_file", node.short_file);
    json.member("line", node.line);
    write_figures(json, graph, node);
    json.end_object();
  }
  json.end_array().key("calls").begin_array();
  for (const GraphEdge& edge : graph.edges) {
    json.begin_object().member("caller", edge.caller).member("callee", edge.callee);
    write_figures(json, graph, edge);
    json.end_object();
  }
  json.end_array().end_object();
  return json.take();
}

}  // namespace pyrometer

#include "report/json_functions.h"

#include "report/small_rows.h"

namespace pyrometer {

void write_function_names(JsonWriter& json, const Profile& profile, const Function& function) {
  json.member("name", profile.text(function.name));
  json.member("qualified_name", profile.text(function.qualified_name));
  json.member("file", profile.text(function.file));
  json.member("module_file", profile.text(function.short_file));
  json.member("line", function.first_line).member("kind", name_of(function.kind));
}

void write_cost(JsonWriter& json, const CallCost& cost) {
  json.member("self", cost.self).member("total", cost.total);
  json.member("calls", cost.calls).member("primitive_calls", cost.primitive_calls);
  json.member("samples", cost.samples).member("stack_samples", cost.stack_samples);
}

void write_edges(JsonWriter& json, const Overview& overview, const ReportOptions& options,
                 std::string_view name, FunctionId subject, const CallSide& side) {
  std::vector<CallEdge> edges(side.of(subject).begin(), side.of(subject).end());
  drop_small_rows(edges, overview, options);
  json.key(name).begin_array();
  for (const CallEdge& edge : edges) {
    json.begin_object();
    write_function_names(json, overview.profile,
                         overview.profile.functions[side.other(edge).row()]);
    write_cost(json, edge);
    json.end_object();
  }
  json.end_array();
}

}  // namespace pyrometer

// Who calls whom, as recorded by those who know no paths.
#include <algorithm>

#include "serve/answers.h"
#include "serve/cost_columns.h"

namespace pyrometer {

Result<Answer> answer_calls(const ViewedProfile& viewed, const Request& request) {
  PYROMETER_TRY(const std::vector<MetricId> metrics, metrics_of(viewed, request));
  const Profile& profile = viewed.summary();
  const bool has_edges =
      std::any_of(profile.flat_values.begin(), profile.flat_values.end(),
                  [](const FlatValue& value) { return !value.caller.is_none(); });
  if (!has_edges) {
    return fail(ErrorCode::kUnsupported,
                "This profile has call paths, not single calls from one function to another.");
  }
  const CallGraph graph = make_call_graph(profile, metrics[0]);
  std::vector<std::uint32_t> callers, callees;
  for (const CallEdge& edge : graph.edges) {
    callers.push_back(edge.caller.row());
    callees.push_back(edge.callee.row());
  }
  ColumnsWriter out(request.is_packed);
  out.add("caller", std::span<const std::uint32_t>(callers));
  out.add("callee", std::span<const std::uint32_t>(callees));
  add_costs(out, graph.edges);
  return Answer{out.take(), kBinaryType};
}

}  // namespace pyrometer

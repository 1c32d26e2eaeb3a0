// What functions cost as recorded: exact also where call paths are estimated.
#include "analyze/call_graph.h"
#include "analyze/thread_call_graph.h"
#include "serve/answers.h"
#include "serve/cost_columns.h"
#include "serve/function_values.h"
#include "serve/scope.h"

namespace pyrometer {
namespace {

Result<std::vector<FunctionCost>> costs_in_scope(const ViewedProfile& viewed, MetricId metric,
                                                 const Request& request) {
  if (!has_scope(request)) {
    const Overview* overview = viewed.overview();
    if (overview != nullptr && overview->metric == metric) return overview->graph.functions;
    return make_call_graph(viewed.summary(), metric).functions;
  }
  PYROMETER_TRY(const Profile* profile, viewed.whole());
  PYROMETER_TRY(const ViewScope scope, parse_scope(request, *profile));
  if (!scope.is_in_time()) return make_call_graph(*profile, metric, scope.threads).functions;
  PYROMETER_TRY(const std::vector<NodeValues> values,
                values_in_scope(*profile, scope, std::span(&metric, 1)));
  const Combine combine = profile->metrics[metric.row()].combine;
  return FunctionSums(*profile).of(values[0], combine);
}

}  // namespace

Result<Answer> answer_functions(const ViewedProfile& viewed, const Request& request) {
  PYROMETER_TRY(const std::vector<MetricId> metrics, metrics_of(viewed, request));
  PYROMETER_TRY(const std::vector<FunctionCost> costs, costs_in_scope(viewed, metrics[0], request));
  ColumnsWriter out(request.is_packed);
  std::vector<std::uint32_t> functions;
  for (const FunctionCost& cost : costs) functions.push_back(cost.function.row());
  out.add("function", std::span<const std::uint32_t>(functions));
  add_costs(out, costs);
  return Answer{out.take(), kBinaryType};
}

}  // namespace pyrometer

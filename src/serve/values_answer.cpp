// What each call-tree position cost by itself, of some metrics in a scope.
#include <algorithm>

#include "base/json_writer.h"
#include "serve/answers.h"
#include "serve/columns.h"
#include "serve/scope.h"

namespace pyrometer {
namespace {

// Beyond it, a column of rows would cost more than the zeros it saves.
constexpr double kSparse = 0.25;

std::string meta_of(const Profile& profile, std::span<const MetricId> metrics,
                    const std::vector<NodeValues>& values) {
  JsonWriter json;
  json.begin_object().key("totals").begin_object();
  for (std::size_t i = 0; i < metrics.size(); ++i) {
    const Metric& metric = profile.metrics[metrics[i].row()];
    std::int64_t total = 0;
    for (const std::int64_t value : values[i]) {
      total = metric.combine == Combine::kMax ? std::max(total, value) : total + value;
    }
    json.member(metric.name, static_cast<double>(total));
  }
  json.end_object().end_object();
  return json.take();
}

// The rows of the view that have any value, in order.
std::vector<std::uint32_t> rows_with_values(const NodeOrder& order,
                                            const std::vector<NodeValues>& values) {
  std::vector<std::uint32_t> rows;
  for (std::size_t row = 0; row < order.nodes.size(); ++row) {
    const std::uint32_t node = order.nodes[row].row();
    const bool any = std::any_of(values.begin(), values.end(),
                                 [&](const NodeValues& of_metric) { return of_metric[node] != 0; });
    if (any) rows.push_back(static_cast<std::uint32_t>(row));
  }
  return rows;
}

}  // namespace

Result<Answer> answer_values(const ViewedProfile& viewed, const Request& request) {
  PYROMETER_TRY(const std::vector<MetricId> metrics, metrics_of(viewed, request));
  const Profile* profile = &viewed.summary();
  ViewScope scope;
  if (has_scope(request)) {
    PYROMETER_TRY(profile, viewed.whole());
    PYROMETER_TRY(scope, parse_scope(request, *profile));
  }
  PYROMETER_TRY(const std::vector<NodeValues> values, values_in_scope(*profile, scope, metrics));
  const NodeOrder& order = viewed.order();
  std::vector<std::uint32_t> rows;
  bool is_sparse = false;
  if (!scope.is_everything()) {
    rows = rows_with_values(order, values);
    is_sparse =
        static_cast<double>(rows.size()) < kSparse * static_cast<double>(order.nodes.size());
  }
  ColumnsWriter out(request.is_packed);
  if (is_sparse) out.add("node", std::span<const std::uint32_t>(rows));
  std::vector<double> column;
  for (std::size_t i = 0; i < metrics.size(); ++i) {
    column.clear();
    const NodeValues& of_metric = values[i];
    const auto add = [&](NodeId node) {
      column.push_back(static_cast<double>(of_metric[node.row()]));
    };
    if (is_sparse) {
      for (const std::uint32_t row : rows) add(order.nodes[row]);
    } else {
      for (const NodeId node : order.nodes) add(node);
    }
    const Metric& metric = profile->metrics[metrics[i].row()];
    out.add_values("self:" + metric.name, column, metric.combine);
  }
  return Answer{out.take(meta_of(*profile, metrics, values)), kBinaryType};
}

}  // namespace pyrometer

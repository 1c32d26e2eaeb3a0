#include "analyze/cost_table.h"

#include <algorithm>

#include "analyze/call_graph.h"
#include "analyze/line_table.h"
#include "analyze/main_metric.h"
#include "analyze/names.h"

namespace pyrometer {
namespace {

constexpr std::string_view kExactMetrics[] = {metric::kCalls,       metric::kPrimitiveCalls,
                                              metric::kHits,        metric::kLineTime,
                                              metric::kLineReturns, metric::kLineSelf};

bool is_exact(const Metric& metric) {
  return std::find(std::begin(kExactMetrics), std::end(kExactMetrics), metric.name) !=
         std::end(kExactMetrics);
}

bool has_lines(const Profile& profile) {
  const auto has_line = [](const Node& node) { return node.line != 0; };
  return !profile.line_values.empty() ||
         std::any_of(profile.nodes.begin(), profile.nodes.end(), has_line);
}

std::string source_of(const Profile& profile) {
  return profile.processes.empty() ? "" : profile.processes[0].source;
}

CostRow row_of(const Profile& profile, FunctionId id) {
  const Function& function = profile.functions[id.row()];
  return {.file = std::string(profile.text(function.short_file)),
          .name = std::string(display_name(profile, function)),
          .first_line = function.first_line,
          .path = std::string(profile.text(function.file))};
}

void add(CostRow& to, const CostRow& from) {
  to.value += from.value;
  to.hits += from.hits;
  to.samples += from.samples;
}

// By place, with rows of the same place added up: lambdas that share a line have one name.
void put_in_order(std::vector<CostRow>& rows) {
  std::stable_sort(rows.begin(), rows.end(),
                   [](const CostRow& a, const CostRow& b) { return a.place() < b.place(); });
  std::vector<CostRow> merged;
  for (CostRow& row : rows) {
    if (row.value == 0 && row.hits == 0 && row.samples == 0) continue;
    if (!merged.empty() && merged.back().place() == row.place()) {
      add(merged.back(), row);
    } else {
      merged.push_back(std::move(row));
    }
  }
  rows = std::move(merged);
}

void add_functions(const Profile& profile, const CostSource& source, CostTable& table) {
  for (const FunctionCost& cost : make_call_graph(profile, source.metric).functions) {
    CostRow& row = table.rows.emplace_back(row_of(profile, cost.function));
    row.value = source.self ? cost.self : cost.total;
    row.hits = cost.calls;
    if (table.is_sampled) row.samples = source.self ? cost.samples : cost.stack_samples;
    table.total += cost.self;
    table.samples += table.is_sampled ? cost.samples : 0;
  }
}

std::int64_t sum_of_lines(const Profile& profile, MetricId metric) {
  std::int64_t sum = 0;
  for (const LineCost& cost : make_line_table(profile, metric)) sum += cost.self;
  return sum;
}

void add_lines(const Profile& profile, const CostSource& source, CostTable& table) {
  for (const LineCost& cost : make_line_table(profile, source.metric)) {
    CostRow& row = table.rows.emplace_back(row_of(profile, cost.function));
    row.line = cost.line;
    row.value = source.self ? cost.self : cost.total;
    row.hits = cost.hits;
  }
  table.total = sum_of_lines(profile, source.own_metric);
  const auto samples = profile.find_metric(metric::kSamples);
  if (!table.is_sampled || !samples) return;
  // The samples below a line are counted as its time is.
  for (const LineCost& cost : make_line_table(profile, *samples)) {
    CostRow& row = table.rows.emplace_back(row_of(profile, cost.function));
    row.line = cost.line;
    row.samples = source.self ? cost.self : cost.total;
    table.samples += cost.self;
  }
}

bool has_qualified_names(const Profile& profile) {
  return std::any_of(profile.functions.begin(), profile.functions.end(),
                     [&](const Function& function) {
                       return function.kind == FunctionKind::kPython &&
                              profile.text(function.qualified_name) != profile.text(function.name);
                     });
}

// Of a profile that has lines and nothing else: what its lines took together.
void turn_into_functions(CostTable& table) {
  for (CostRow& row : table.rows) {
    row.line = 0;
    row.hits = 0;
  }
}

}  // namespace

bool has_exact_lines(const Profile& profile) {
  const auto time = profile.find_metric(metric::kLineTime);
  const auto is_time = [&](const LineValue& value) { return value.metric == time; };
  return time && std::any_of(profile.line_values.begin(), profile.line_values.end(), is_time);
}

Result<CostSource> find_cost_source(const Profile& profile, const CostChoice& choice) {
  CostSource source{.lines = choice.lines, .self = choice.self};
  if (choice.lines && !has_lines(profile)) {
    return fail(ErrorCode::kNotFound,
                "'{}' holds no lines, as files of cProfile do not; compare functions, or record "
                "the program with 'pyrometer run --lines'",
                source_of(profile));
  }
  const bool use_exact = choice.lines && choice.metric.empty() && has_exact_lines(profile);
  if (!use_exact) {
    PYROMETER_TRY(source.metric, choice.metric.empty() ? main_metric(profile)
                                                       : named_metric(profile, choice.metric));
    source.own_metric = source.metric;
    return source;
  }
  const MetricId time = *profile.find_metric(metric::kLineTime);
  const auto self = profile.find_metric(metric::kLineSelf);
  source.own_metric = self.value_or(time);
  source.metric = choice.self ? source.own_metric : time;
  if (choice.self && !self) {
    return fail(ErrorCode::kUsage,
                "'{}' has no times of lines without callees; those are in recordings of "
                "'pyrometer run --lines' only",
                source_of(profile));
  }
  return source;
}

CostTable make_cost_table(const Profile& profile, const CostSource& source) {
  const Metric& metric = profile.metrics[source.metric.row()];
  CostTable table{.metric = metric,
                  .is_sampled = profile.is_sampled && !is_exact(metric),
                  .has_qualified_names = has_qualified_names(profile)};
  if (source.lines) {
    add_lines(profile, source, table);
  } else {
    add_functions(profile, source, table);
  }
  if (!source.lines && table.rows.empty()) {
    add_lines(profile, source, table);
    turn_into_functions(table);
  }
  put_in_order(table.rows);
  return table;
}

}  // namespace pyrometer

// Tables for spreadsheets and data frames (RFC 4180): functions or lines, a column per figure.
#include <algorithm>

#include "analyze/call_graph.h"
#include "analyze/line_table.h"
#include "analyze/names.h"
#include "base/printable.h"
#include "export/exporter.h"

namespace pyrometer {
namespace {

class CsvTable {
 public:
  CsvTable& text(std::string_view text) {
    separate();
    const std::string valid = valid_utf8(text);
    if (valid.find_first_of(",\"\r\n") == std::string::npos) {
      out_ += valid;
      return *this;
    }
    out_ += '"';
    for (const char c : valid) out_.append(c == '"' ? 2 : 1, c);
    out_ += '"';
    return *this;
  }
  CsvTable& number(std::int64_t number) {
    separate();
    out_ += std::to_string(number);
    return *this;
  }
  void end_row() {
    out_ += "\r\n";
    is_first_ = true;
  }
  std::string take() { return std::move(out_); }

 private:
  void separate() {
    if (!is_first_) out_ += ',';
    is_first_ = false;
  }

  std::string out_;
  bool is_first_ = true;
};

// "wall_self_ns"
std::string column_name(const Metric& metric, std::string_view what) {
  const std::string_view unit = metric.unit == Unit::kCount ? "" : name_of(metric.unit);
  return fmt::format("{}_{}{}{}", metric.name, what, unit.empty() ? "" : "_", unit);
}

// The chosen metric first, then the others that have values.
std::vector<MetricId> metrics_of(const Overview& overview) {
  const Profile& profile = overview.profile;
  std::vector<MetricId> metrics = {overview.metric};
  for (std::size_t row = 0; row < profile.metrics.size(); ++row) {
    const auto metric = MetricId::from_index(row);
    const auto& totals = profile.node_totals[row];
    const bool has_values =
        std::any_of(totals.begin(), totals.end(), [](std::int64_t value) { return value != 0; });
    // Calls have columns of their own.
    const bool is_calls = profile.metrics[row].name == metric::kCalls;
    if (has_values && !is_calls && metric != overview.metric) metrics.push_back(metric);
  }
  return metrics;
}

void write_function_columns(CsvTable& table, const Profile& profile, const Function& function) {
  table.text(display_name(profile, function)).text(profile.text(function.file));
  table.number(function.first_line).text(name_of(function.kind));
}

}  // namespace

Result<std::string> export_csv(const Overview& overview) {
  const Profile& profile = overview.profile;
  const std::vector<MetricId> metrics = metrics_of(overview);
  // By function, then by metric. Each metric sees another set of functions.
  std::vector<std::vector<CallCost>> costs(profile.functions.size());
  for (std::size_t i = 0; i < metrics.size(); ++i) {
    const CallGraph graph = make_call_graph(profile, metrics[i]);
    for (const FunctionCost& cost : graph.functions) {
      auto& row = costs[cost.function.row()];
      row.resize(metrics.size());
      row[i] = static_cast<const CallCost&>(cost);
    }
  }
  std::vector<std::uint32_t> order;
  for (std::uint32_t row = 0; row < costs.size(); ++row) {
    if (!costs[row].empty()) order.push_back(row);
  }
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return costs[a][0].self > costs[b][0].self;
  });
  CsvTable table;
  for (const char* name : {"function", "file", "line", "kind", "calls", "primitive_calls"}) {
    table.text(name);
  }
  for (const MetricId metric : metrics) {
    table.text(column_name(profile.metrics[metric.row()], "self"));
    table.text(column_name(profile.metrics[metric.row()], "total"));
  }
  table.end_row();
  for (const std::uint32_t row : order) {
    write_function_columns(table, profile, profile.functions[row]);
    table.number(costs[row][0].calls).number(costs[row][0].primitive_calls);
    for (const CallCost& cost : costs[row]) table.number(cost.self).number(cost.total);
    table.end_row();
  }
  return table.take();
}

Result<std::string> export_csv_lines(const Overview& overview) {
  const Profile& profile = overview.profile;
  const Metric& metric = profile.metrics[overview.metric.row()];
  CsvTable table;
  for (const char* name :
       {"function", "file", "function_line", "kind", "line", "hits", "samples"}) {
    table.text(name);
  }
  table.text(column_name(metric, "self")).text(column_name(metric, "total")).end_row();
  for (const LineCost& line : overview.lines) {
    write_function_columns(table, profile, profile.functions[line.function.row()]);
    table.number(line.line).number(line.hits).number(line.samples);
    table.number(line.self).number(line.total).end_row();
  }
  return table.take();
}

}  // namespace pyrometer

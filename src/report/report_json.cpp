#include <optional>

#include "analyze/findings/findings.h"
#include "analyze/names.h"
#include "analyze/thread_table.h"
#include "analyze/view_tree.h"
#include "base/json_writer.h"
#include "report/call_side.h"
#include "report/counters_json.h"
#include "report/process_words.h"
#include "report/report.h"

namespace pyrometer {
namespace {

constexpr int kSchemaVersion = 1;

constexpr std::string_view name_of(Finding::Kind kind) {
  switch (kind) {
    case Finding::Kind::kWarning: return "warning";
    case Finding::Kind::kHot: return "hot";
    case Finding::Kind::kHint: return "hint";
  }
  return "?";
}

class JsonReport {
 public:
  JsonReport(const Overview& overview, const ReportOptions& options)
      : overview_(overview), profile_(overview.profile), options_(options) {}

  std::string write() {
    json_.begin_object();
    json_.member("schema_version", kSchemaVersion).member("kind", "pyrometer-report");
    write_metrics();
    write_totals();
    write_findings();
    write_functions();
    if (options_.lines) write_lines();
    if (options_.tree) write_tree("tree", make_call_tree(profile_, overview_.metric));
    if (options_.bottom_up) {
      write_tree("bottom_up", make_bottom_up_tree(profile_, overview_.metric, options_.depth));
    }
    if (options_.threads) write_threads();
    write_counters(profile_, json_);
    write_processes();
    json_.end_object();
    return json_.take();
  }

 private:
  void write_metrics() {
    const Metric& metric = profile_.metrics[overview_.metric.row()];
    json_.member("metric", metric.name).member("unit", name_of(metric.unit));
    json_.key("metrics").begin_array();
    for (const Metric& each : profile_.metrics) {
      json_.begin_object();
      json_.member("name", each.name).member("unit", name_of(each.unit));
      json_.member("combine", name_of(each.combine)).end_object();
    }
    json_.end_array();
  }

  void write_totals() {
    CallCost sum;  // a total over functions would count callees again
    for (const FunctionCost& cost : overview_.graph.functions) {
      sum.calls += cost.calls;
      sum.primitive_calls += cost.primitive_calls;
      sum.samples += cost.samples;
      sum.stack_samples += cost.stack_samples;
    }
    json_.key("totals").begin_object();
    json_.member("self", overview_.total).member("wall_ns", overview_.wall);
    json_.member("calls", sum.calls).member("primitive_calls", sum.primitive_calls);
    json_.member("samples", sum.samples).member("stack_samples", sum.stack_samples).end_object();
    json_.member("sampled", profile_.is_sampled);
    json_.member("paths_estimated", profile_.paths_are_estimated);
  }

  void write_findings() {
    json_.key("findings").begin_array();
    for (const Finding& finding : find_all(overview_)) {
      json_.begin_object().member("id", finding.id).member("kind", name_of(finding.kind));
      json_.member("sentence", finding.sentence).member("share", finding.share).end_object();
    }
    json_.end_array();
  }

  void write_function_names(const Function& function) {
    json_.member("name", profile_.text(function.name));
    json_.member("qualified_name", profile_.text(function.qualified_name));
    json_.member("file", profile_.text(function.file));
    json_.member("module_file", profile_.text(function.short_file));
    json_.member("line", function.first_line).member("kind", name_of(function.kind));
  }

  void write_cost(const CallCost& cost) {
    json_.member("self", cost.self).member("total", cost.total);
    json_.member("calls", cost.calls).member("primitive_calls", cost.primitive_calls);
    json_.member("samples", cost.samples).member("stack_samples", cost.stack_samples);
  }

  void write_edges(const char* name, FunctionId subject, const CallSide& side) {
    json_.key(name).begin_array();
    for (const CallEdge& edge : side.of(subject)) {
      json_.begin_object();
      write_function_names(profile_.functions[side.other(edge).row()]);
      write_cost(edge);
      json_.end_object();
    }
    json_.end_array();
  }

  void write_functions() {
    std::vector<FunctionCost> functions = select_functions(overview_, options_.selection);
    limit_rows(functions, options_.selection);
    std::optional<CallSide> callers;
    std::optional<CallSide> callees;
    if (options_.callers) callers = CallSide::callers(overview_.graph);
    if (options_.callees) callees = CallSide::callees(overview_.graph);
    json_.key("functions").begin_array();
    for (const FunctionCost& cost : functions) {
      json_.begin_object();
      write_function_names(profile_.functions[cost.function.row()]);
      write_cost(cost);
      json_.member("self_share", overview_.share(cost.self));
      json_.member("total_share", overview_.share(cost.total));
      if (callers) write_edges("callers", cost.function, *callers);
      if (callees) write_edges("callees", cost.function, *callees);
      json_.end_object();
    }
    json_.end_array();
  }

  void write_lines() {
    std::vector<LineCost> lines = select_lines(overview_, options_.selection);
    limit_rows(lines, options_.selection);
    json_.key("lines").begin_array();
    for (const LineCost& line : lines) {
      const Function& function = profile_.functions[line.function.row()];
      json_.begin_object();
      json_.member("file", profile_.text(function.file)).member("line", line.line);
      json_.member("function", display_name(profile_, function));
      json_.member("self", line.self).member("total", line.total);
      json_.member("hits", line.hits).member("samples", line.samples).end_object();
    }
    json_.end_array();
  }

  // Flat, with the parent's index: a nested document of sixty thousand levels opens nowhere.
  void write_tree(const char* name, const ViewTree& tree) {
    constexpr std::int64_t kNoParent = -1;
    std::vector<std::int64_t> written(tree.nodes.size(), kNoParent);
    std::vector<std::int64_t> parents(tree.nodes.size(), kNoParent);
    std::int64_t count = 0;
    json_.key(name).begin_array();
    std::vector<std::uint32_t> open(tree.roots.rbegin(), tree.roots.rend());
    while (!open.empty()) {
      const std::uint32_t index = open.back();
      const ViewNode& node = tree.nodes[index];
      open.pop_back();
      const bool is_large = overview_.share(node.total) >= options_.least_share;
      if (!is_large || node.depth >= options_.depth) continue;
      written[index] = count++;
      const Function& function = profile_.functions[node.function.row()];
      json_.begin_object().member("parent", parents[index]);
      json_.member("function", display_name(profile_, function));
      json_.member("file", profile_.text(function.file)).member("line", function.first_line);
      json_.member("self", node.self).member("total", node.total).end_object();
      for (const std::uint32_t child : node.children) parents[child] = written[index];
      open.insert(open.end(), node.children.rbegin(), node.children.rend());
    }
    json_.end_array();
  }

  void write_threads() {
    json_.key("threads").begin_array();
    for (const ThreadCost& cost : make_thread_table(profile_, overview_.metric)) {
      const Thread& thread = profile_.threads[cost.thread.row()];
      json_.begin_object().member("name", profile_.text(thread.name));
      json_.member("tid", thread.tid).member("class", name_of(thread.thread_class));
      json_.member("process", thread.process.row()).member("value", cost.value).end_object();
    }
    json_.end_array();
  }

  void write_processes() {
    json_.key("processes").begin_array();
    for (std::size_t i = 0; i < profile_.processes.size(); ++i) {
      const Process& process = profile_.processes[i];
      json_.begin_object();
      json_.key("rank");
      process.rank >= 0 ? json_.value(process.rank) : json_.null();
      json_.member("host", process.host).member("pid", process.pid);
      json_.member("status", name_of(process.status));
      json_.key("exit_status");
      process.exit_status ? json_.value(*process.exit_status) : json_.null();
      json_.member("duration_ns", process.duration).member("source", process.source);
      json_.member("value", profile_.process_totals[i][overview_.metric.row()]).end_object();
    }
    json_.end_array();
  }

  const Overview& overview_;
  const Profile& profile_;
  const ReportOptions& options_;
  JsonWriter json_;
};

}  // namespace

std::string report_json(const Overview& overview, const ReportOptions& options) {
  return JsonReport(overview, options).write();
}

}  // namespace pyrometer

#include <optional>

#include "analyze/findings/findings.h"
#include "analyze/names.h"
#include "analyze/region_table.h"
#include "analyze/task_costs.h"
#include "analyze/thread_table.h"
#include "base/json_writer.h"
#include "profile/source_lines.h"
#include "report/counters_json.h"
#include "report/json_functions.h"
#include "report/json_views.h"
#include "report/small_rows.h"

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
  JsonReport(const ReportSubject& subject, const ReportOptions& options)
      : subject_(subject),
        overview_(subject.overview),
        profile_(subject.overview.profile),
        options_(options) {}

  std::string write() {
    json_.begin_object();
    json_.member("schema_version", kSchemaVersion).member("kind", "pyrometer-report");
    write_metrics();
    write_totals();
    write_origins(json_, overview_);
    write_scope(json_, subject_);
    write_findings();
    write_functions();
    const Overview& paths = subject_.of_paths();
    if (!options_.group_by.empty()) write_groups(json_, overview_, options_);
    if (!options_.sandwich.empty()) write_sandwich(json_, paths, options_);
    if (options_.lines) write_lines();
    if (options_.loops) write_loops(json_, overview_, options_);
    if (options_.tree) {
      write_tree(json_, paths, options_, "tree",
                 ShownTree(paths, options_, ShownTree::Direction::kTopDown));
    }
    if (options_.bottom_up) {
      write_tree(json_, paths, options_, "bottom_up",
                 ShownTree(paths, options_, ShownTree::Direction::kBottomUp));
    }
    if (options_.threads) write_threads();
    write_timers();
    write_tasks();
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
    if (overview_.paused > 0) json_.member("paused_ns", overview_.paused);
    json_.member("calls", sum.calls).member("primitive_calls", sum.primitive_calls);
    json_.member("samples", sum.samples).member("stack_samples", sum.stack_samples).end_object();
    json_.member("sampled", profile_.is_sampled);
    json_.member("paths_estimated", profile_.paths_are_estimated);
  }

  void write_findings() {
    json_.key("findings").begin_array();
    for (const Finding& finding : find_all(overview_)) {
      // Other shares are of the whole program; with a focus there is only a part of it here.
      if (finding.kind != Finding::Kind::kWarning && !subject_.is_whole()) continue;
      json_.begin_object().member("id", finding.id).member("kind", name_of(finding.kind));
      json_.member("sentence", finding.sentence).member("share", finding.share).end_object();
    }
    json_.end_array();
  }

  void write_functions() {
    std::vector<FunctionCost> functions = select_functions(overview_, options_.selection);
    drop_small_rows(functions, overview_, options_);
    limit_rows(functions, options_.selection);
    const Overview& paths = subject_.of_paths();
    std::optional<CallSide> callers;
    std::optional<CallSide> callees;
    if (options_.callers) callers = CallSide::callers(paths.graph);
    if (options_.callees) callees = CallSide::callees(paths.graph);
    const auto write_side = [&](const char* name, FunctionId subject, const CallSide& side) {
      write_edges(json_, paths, options_, name, subject, side);
    };
    json_.key("functions").begin_array();
    for (const FunctionCost& cost : functions) {
      json_.begin_object();
      write_function_names(json_, profile_, profile_.functions[cost.function.row()]);
      write_cost(json_, cost);
      json_.member("self_share", overview_.share(cost.self));
      json_.member("total_share", overview_.share(cost.total));
      if (callers) write_side("callers", cost.function, *callers);
      if (callees) write_side("callees", cost.function, *callees);
      json_.end_object();
    }
    json_.end_array();
  }

  void write_lines() {
    std::vector<LineCost> lines = select_lines(overview_, options_.selection);
    drop_small_rows(lines, overview_, options_);
    limit_rows(lines, options_.selection);
    SourceLines sources(profile_);
    json_.key("lines").begin_array();
    for (const LineCost& line : lines) {
      const Function& function = profile_.functions[line.function.row()];
      json_.begin_object();
      json_.member("file", profile_.text(function.file)).member("line", line.line);
      json_.member("function", display_name(profile_, function));
      json_.member("self", line.self).member("total", line.total);
      json_.member("hits", line.hits).member("samples", line.samples);
      json_.member("source", sources.line(function.file, line.line)).end_object();
    }
    json_.end_array();
  }

  void write_threads() {
    json_.key("threads").begin_array();
    std::vector<ThreadCost> threads = make_thread_table(profile_, overview_.metric);
    drop_small_rows(threads, overview_, options_,
                    [](const ThreadCost& cost) { return cost.value; });
    for (const ThreadCost& cost : threads) {
      const Thread& thread = profile_.threads[cost.thread.row()];
      json_.begin_object().member("name", profile_.text(thread.name));
      json_.member("tid", thread.tid).member("class", name_of(thread.thread_class));
      json_.member("process", thread.process.row()).member("value", cost.value).end_object();
    }
    json_.end_array();
  }

  void write_timers() {
    std::vector<RegionCost> rows = make_region_table(profile_);
    limit_rows(rows, options_.selection);
    if (rows.empty()) return;
    json_.key("timers").begin_array();
    for (const RegionCost& row : rows) {
      json_.begin_object().member("name", row.name).member("count", row.count);
      json_.member("total_ns", row.total).member("self_ns", row.self);
      json_.member("mean_ns", row.mean());
      json_.member("min_ns", row.shortest).member("max_ns", row.longest);
      json_.member("processes", row.processes).member("least_of_process_ns", row.least);
      json_.member("mean_of_process_ns", row.mean_of_process());
      json_.member("most_of_process_ns", row.most).end_object();
    }
    json_.end_array();
  }

  void write_task_place(const TaskPlace& place) {
    if (place.function.is_none()) {
      json_.null();
      return;
    }
    const Function& function = profile_.functions[place.function.row()];
    json_.begin_object().member("file", profile_.text(function.file));
    json_.member("line", place.line).member("function", display_name(profile_, function));
    json_.end_object();
  }

  void write_tasks() {
    std::vector<TaskCost> rows = make_task_costs(profile_);
    limit_rows(rows, options_.selection);
    if (rows.empty()) return;
    constexpr std::size_t kMostWaits = 10;
    json_.key("tasks").begin_array();
    for (const TaskCost& row : rows) {
      json_.begin_object().member("name", row.name).member("count", row.tasks);
      json_.member("work_ns", row.work).member("blocked_ns", row.blocked);
      json_.member("waiting_ns", row.waiting).member("ready_ns", row.ready);
      json_.member("longest_step_ns", row.longest).key("longest_step");
      write_task_place(row.longest_at);
      json_.key("waits").begin_array();
      for (std::size_t i = 0; i < std::min(row.waits.size(), kMostWaits); ++i) {
        json_.begin_object().member("waiting_ns", row.waits[i].time);
        json_.member("awaited", row.waits[i].awaited).key("place");
        write_task_place(row.waits[i].at);
        json_.end_object();
      }
      json_.end_array().end_object();
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
      json_.member("start_ns", process.start).member("duration_ns", process.duration);
      json_.member("source", process.source);
      json_.member("value", profile_.process_totals[i][overview_.metric.row()]).end_object();
    }
    json_.end_array();
  }

  const ReportSubject& subject_;
  const Overview& overview_;
  const Profile& profile_;
  const ReportOptions& options_;
  JsonWriter json_;
};

}  // namespace

std::string report_json(const ReportSubject& subject, const ReportOptions& options) {
  return JsonReport(subject, options).write();
}

}  // namespace pyrometer

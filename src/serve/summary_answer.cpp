// What the overview shows: a verdict, kinds of time, findings, and how good the data are.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analyze/main_metric.h"
#include "analyze/thread_count.h"
#include "analyze/time_tracks.h"
#include "analyze/transform_with_regions.h"
#include "base/format_value.h"
#include "base/json_writer.h"
#include "base/printable.h"
#include "profile/totals.h"
#include "profile/value_rows.h"
#include "report/run_summary.h"
#include "serve/answers.h"
#include "serve/verdict.h"
#include "serve/view_findings.h"

namespace pyrometer {
namespace {

constexpr double kSecond = 1e9;
constexpr double kWorthAFigure = 0.005;  // less would be written as 0 %

// How metrics are called where people choose one.
constexpr std::pair<std::string_view, std::string_view> kLabels[] = {
    {metric::kWall, "Wall time"},
    {metric::kCpu, "CPU time"},
    {metric::kPython, "Python code"},
    {metric::kNative, "Native code"},
    {metric::kSystem, "In the kernel"},
    {metric::kRunnable, "Waiting for a core"},
    {metric::kGilWait, "Waiting for the GIL"},
    {metric::kLockWait, "Waiting for locks"},
    {metric::kMpi, "In MPI"},
    {metric::kMpiTime, "In MPI, by the clock"},
    {metric::kMpiWait, "Waiting in MPI"},
    {metric::kMpiCalls, "MPI calls"},
    {metric::kMpiBytes, "Bytes handed to MPI"},
    {metric::kIo, "Waiting for files and sockets"},
    {metric::kSleep, "Sleeping"},
    {metric::kIdle, "Waiting otherwise"},
    {metric::kAwait, "Tasks waiting"},
    {metric::kTaskWork, "Tasks working"},
    {metric::kTaskBlocked, "Tasks that block their loop"},
    {metric::kTaskStep, "Tasks, longest step"},
    {metric::kTasks, "Tasks"},
    {metric::kSamples, "Samples"},
    {metric::kStackSamples, "Samples on the stack"},
    {metric::kCalls, "Calls"},
    {metric::kPrimitiveCalls, "Calls, not recursive"},
    {metric::kHits, "Hits of lines"},
    {metric::kLineTime, "Time of lines"},
    {metric::kLineSelf, "Own time of lines"},
    {metric::kLineReturns, "Hits inside statements"},
    {metric::kMemory, "Memory"},
    {metric::kIncrement, "Memory added"},
    {metric::kAllocated, "Memory allocated"},
    {metric::kFreed, "Memory freed"},
    {metric::kLive, "Memory still in use"},
    {metric::kPeak, "Memory at the peak"},
    {metric::kTemporary, "Memory soon freed again"},
    {metric::kUntouched, "Memory never touched"},
    {metric::kCopied, "Memory copied"},
    {metric::kCopies, "Copies"},
    {metric::kAllocations, "Blocks allocated"},
    {metric::kLiveBlocks, "Blocks still in use"},
    {metric::kAllocatedNumpy, "Memory allocated by NumPy"},
    {metric::kAllocatedNative, "Memory allocated by native code"},
    {metric::kLiveNumpy, "Memory still in use by NumPy"},
    {metric::kLiveNative, "Memory still in use by native code"},
    {metric::kPeakNumpy, "Memory of NumPy at the peak"},
    {metric::kPeakNative, "Memory of native code at the peak"},
    {metric::kLinePeak, "Peak inside lines"},
    {metric::kLineTemporary, "Memory freed within lines"},
};

std::string label_of(const Metric& metric) {
  for (const auto& [name, label] : kLabels) {
    if (name == metric.name) return std::string(label);
  }
  return printable(metric.name);
}

// Where a finding is shown best.
std::string_view screen_of(const Profile& profile, const Finding& finding) {
  const bool has_source = !finding.function.is_none() &&
                          profile.functions[finding.function.row()].kind == FunctionKind::kPython;
  if (finding.id == "hot-function" && !has_source) return "functions";
  constexpr std::pair<std::string_view, std::string_view> kScreens[] = {
      {"hot-function", "source"},  {"gil-waits", "waits"},
      {"import-time", "flame"},    {"many-small-calls", "functions"},
      {"missing-ranks", "ranks"},  {"estimated-paths", "functions"},
      {"imbalance", "ranks"},      {"waiting-for", "ranks"},
      {"idle-ranks", "ranks"},     {"efficiency", "ranks"},
      {"slow-host", "ranks"},      {"oversubscribed", "ranks"},
      {"rank-ended", "ranks"},     {"serial-line", "source"},
      {"pickling", "source"},      {"import-storm", "flame"},
      {"memory-leak", "memory"},   {"memory-limit", "memory"},
      {"host-memory", "memory"},   {"uneven-memory", "memory"},
      {"peak-owner", "memory"},    {"untouched-memory", "memory"},
      {"memory-churn", "memory"},  {"blocked-loop", "source"},
      {"memory-copies", "source"},
  };
  for (const auto& [id, screen] : kScreens) {
    if (id == finding.id) return screen;
  }
  return "overview";
}

std::string_view word_of(Finding::Kind kind) {
  switch (kind) {
    case Finding::Kind::kWarning: return "warning";
    case Finding::Kind::kHot: return "hot";
    case Finding::Kind::kHint: return "hint";
  }
  return "hint";
}

void write_findings(JsonWriter& json, const Overview* overview, const RunSummary* summary) {
  json.key("findings").begin_array();
  if (overview != nullptr && summary != nullptr) {
    for (const Finding& finding : make_view_findings(*overview, *summary)) {
      json.begin_object().member("id", finding.id).member("kind", word_of(finding.kind));
      json.member("sentence", printable(finding.sentence));
      json.member("big", finding.share >= kWorthAFigure
                             ? fmt::format("{:.0f} %", 100 * finding.share)
                             : "");
      json.member("evidence", printable(finding.evidence)).key("function");
      finding.function.is_none() ? json.null() : json.value(finding.function.row());
      json.member("line", finding.line)
          .member("screen", screen_of(overview->profile, finding))
          .end_object();
    }
  }
  json.end_array();
}

std::string_view attribute_of(const Profile& profile, std::string_view key) {
  for (const Process& process : profile.processes) {
    for (const auto& [name, value] : process.attributes) {
      if (name == key) return value;
    }
  }
  return {};
}

std::string rate_words(const RunSummary& summary) {
  if (summary.highest_rate == 0) return {};
  if (summary.lowest_rate == summary.highest_rate)
    return fmt::format("{} Hz", summary.highest_rate);
  return fmt::format("{} to {} Hz", summary.lowest_rate, summary.highest_rate);
}

void write_facts(JsonWriter& json, const ViewedProfile& viewed, const RunSummary* summary,
                 std::int64_t duration) {
  const Profile& profile = viewed.summary();
  const ProfileTitle& title = viewed.title();
  json.key("facts").begin_array().value(title.program.empty() ? title.name : title.program);
  json.value(fmt::format("{}, {}", format_plural(profile.processes.size(), "process", "processes"),
                         format_plural(count_threads(profile), "thread", "threads")));
  if (duration > 0) json.value(format_value(Unit::kNanoseconds, duration) + " wall");
  if (summary != nullptr && summary->calls != 0) {
    json.value(format_count(summary->calls) + (summary->calls == 1 ? " call" : " calls"));
  }
  if (const auto version = attribute_of(profile, "python.version"); !version.empty()) {
    json.value(fmt::format("CPython {}", printable(version)));
  }
  if (summary != nullptr && summary->highest_rate != 0) json.value(rate_words(*summary));
  json.end_array();
}

// Of positions; where there are none, of functions or lines.
double total_of(const Profile& profile, MetricId metric) {
  if (const std::int64_t total = grand_total(profile, metric); total != 0) {
    return static_cast<double>(total);
  }
  const Combine combine = profile.metrics[metric.row()].combine;
  std::int64_t of_functions = 0;
  for (const FlatValue& value : profile.flat_values) {
    if (value.metric == metric && value.caller.is_none()) of_functions += value.self;
  }
  std::int64_t of_lines = 0;
  for (const LineValue& value : profile.line_values) {
    if (value.metric == metric) of_lines = combined(combine, of_lines, value.value);
  }
  return static_cast<double>(of_functions != 0 ? of_functions : of_lines);
}

void write_metrics(JsonWriter& json, const Profile& profile) {
  json.key("metrics").begin_array();
  for (std::size_t i = 0; i < profile.metrics.size(); ++i) {
    const Metric& metric = profile.metrics[i];
    json.begin_object().member("name", metric.name).member("label", label_of(metric));
    json.member("unit", name_of(metric.unit)).member("combine", name_of(metric.combine));
    json.member("total", total_of(profile, MetricId::from_index(i)));
    json.end_object();
  }
  json.end_array();
  const auto main = main_metric(profile);
  json.member("main_metric", main ? std::string_view(profile.metrics[main->row()].name) : "");
}

void write_shares(JsonWriter& json, const RunSummary* summary) {
  json.key("shares").begin_array();
  if (summary != nullptr) {
    for (const RunSummary::Share& share : summary->shares) {
      json.begin_object().member("id", share.id).member("words", share.words);
      json.member("value", static_cast<double>(share.value)).member("percent", share.percent);
      json.end_object();
    }
  }
  json.end_array();
}

void write_quality(JsonWriter& json, const RunSummary* summary) {
  const RunSummary nothing;
  const RunSummary& run = summary == nullptr ? nothing : *summary;
  json.key("quality").begin_object().member("samples", run.samples);
  json.member("rejected", run.rejected).member("lost", run.lost).key("rate");
  if (run.highest_rate != 0) {
    json.begin_array().value(run.lowest_rate).value(run.highest_rate).end_array();
  } else {
    json.null();
  }
  json.key("cost");
  run.cost ? json.value(*run.cost) : json.null();
  json.key("error");
  run.samples > 0 ? json.value(0.98 / std::sqrt(static_cast<double>(run.samples))) : json.null();
  json.end_object();
}

bool has_value(const Profile& profile, std::string_view name) {
  const auto metric = profile.find_metric(name);
  return metric && grand_total(profile, *metric) != 0;
}

bool any_metric(const Profile& profile, std::initializer_list<std::string_view> names) {
  return std::any_of(names.begin(), names.end(),
                     [&](std::string_view name) { return has_value(profile, name); });
}

void write_has(JsonWriter& json, const Profile& profile) {
  const bool has_edges =
      std::any_of(profile.flat_values.begin(), profile.flat_values.end(),
                  [](const FlatValue& value) { return !value.caller.is_none(); });
  const auto hits = profile.find_metric(metric::kHits);
  const auto time = profile.find_metric(metric::kLineTime);
  const bool has_lines =
      std::any_of(profile.line_values.begin(), profile.line_values.end(),
                  [&](const LineValue& v) { return v.metric == hits || v.metric == time; });
  const auto is_of_bytes = [](const auto& each) { return each.unit == Unit::kBytes; };
  const auto is_of_memory = [](const Metric& each) {
    return each.unit == Unit::kBytes && each.name != metric::kMpiBytes;
  };
  const bool has_memory =
      std::any_of(profile.metrics.begin(), profile.metrics.end(), is_of_memory) ||
      std::any_of(profile.counters.begin(), profile.counters.end(), is_of_bytes) ||
      profile.leaves_out_counters;
  json.key("has").begin_object().member("paths", !profile.nodes.empty());
  json.member("edges", has_edges).member("threads", !profile.nodes.empty());
  json.member("time",
              !profile.samples.empty() || !profile.calls.empty() || profile.leaves_out_samples);
  json.member("lines", has_lines).member("ranks", profile.processes.size() > 1);
  json.member("memory", has_memory);
  json.member("waits",
              any_metric(profile, {metric::kGilWait, metric::kLockWait, metric::kIo, metric::kSleep,
                                   metric::kIdle, metric::kRunnable, metric::kMpi}));
  json.member("counters", !profile.counters.empty() || profile.leaves_out_counters);
  json.member("regions", !profile.regions.empty() || profile.leaves_out_regions);
  json.member("region_paths", can_show_regions_in_paths(profile)).end_object();
}

}  // namespace

Result<Answer> answer_summary(const ViewedProfile& viewed, const Request& request) {
  const Profile& profile = viewed.summary();
  const Overview* overview = viewed.overview();
  std::optional<RunSummary> run;
  if (overview != nullptr) run = summarize_run(*overview);
  const RunSummary* summary = run ? &*run : nullptr;
  const ProfileClock clock(profile);
  const bool is_finished = std::all_of(
      profile.processes.begin(), profile.processes.end(),
      [](const Process& process) { return process.status == ProcessStatus::kFinished; });
  JsonWriter json;
  json.begin_object().member("title", printable(make_verdict(viewed, summary)));
  write_facts(json, viewed, summary, clock.end());
  write_metrics(json, profile);
  write_shares(json, summary);
  write_findings(json, overview, summary);
  write_quality(json, summary);
  json.key("notes").begin_array();
  for (const std::string& note : profile.notes) json.value(printable(note));
  for (const std::string& note : request.notes) json.value(note);
  json.end_array();
  json.member("processes", profile.processes.size()).member("threads", profile.threads.size());
  json.member("duration", static_cast<double>(clock.end()) / kSecond);
  json.member("start", static_cast<double>(clock.first()) / kSecond);
  json.member("finished", is_finished).member("sampled", profile.is_sampled);
  json.member("estimated", profile.paths_are_estimated);
  write_has(json, profile);
  json.end_object();
  return Answer{json.take()};
}

}  // namespace pyrometer

// How counted calls and measured lines are recorded: totals so far, as checkpoints.
#include <algorithm>

#include "base/normal_path.h"
#include "collect/recorder.h"

namespace pyrometer {

// Code that is compiled again and again with the same content is one function.
std::uint32_t Recorder::define_function(const CalledFunction& function) {
  if (function.is_python && is_hidden_file(function.file)) return kHidden;
  const ContentId content =
      content_id(fmt::format("{}\n{}\n{}\n{}\n{}", function.name, function.qualified_name,
                             function.file, function.first_line, function.first_column));
  const auto [known, is_new] = functions_.try_emplace(content, 0);
  if (!is_new) return known->second;
  const std::uint32_t name = string(function.name);
  known->second = writer_.add_code(
      {.kind = function.is_python ? FunctionKind::kPython : FunctionKind::kBuiltin,
       .name = name,
       .qualified_name = function.is_python ? string(function.qualified_name) : name,
       .file = string(function.is_python ? normal_path(function.file) : "~"),
       .first_line = function.first_line,
       .first_column = function.first_column});
  return known->second;
}

std::uint32_t Recorder::function_node(std::uint32_t parent, std::uint32_t function) {
  return node(parent, std::uint64_t{function} * 2, 0, 0);
}

std::uint32_t Recorder::extra_metric(std::uint32_t& number, const char* name, Unit unit) {
  if (number == UINT32_MAX) number = writer_.add_metric(name, unit, Combine::kSum);
  return number;
}

std::uint32_t Recorder::calls_metric() {
  return extra_metric(calls_metric_, "calls", Unit::kCount);
}

std::uint32_t Recorder::primitive_calls_metric() {
  return extra_metric(primitive_calls_metric_, "primitive-calls", Unit::kCount);
}

void Recorder::call_totals(std::uint32_t thread, std::int64_t time,
                           const std::vector<CallTotals>& rows) {
  const auto wall = static_cast<std::size_t>(TimeKind::kWall);
  const std::vector<BatchMetric> metrics = {{metric(wall), 1}, {calls_metric(), 1}};
  write_new_nodes();
  RowWriter written(checkpoint_columns(CheckpointSubject::kNode, metrics));
  for (const CallTotals& row : rows) written.row({row.node, row.self, row.calls});
  writer_.checkpoint(time, thread, CheckpointSubject::kNode, metrics, written);
}

void Recorder::calls(std::uint32_t thread, const std::vector<Call>& calls) {
  write_new_nodes();
  constexpr std::size_t kMostRows = 1U << 20;  // a frame has its limits
  for (std::size_t begin = 0; begin < calls.size(); begin += kMostRows) {
    RowWriter rows(call_columns(1));
    for (std::size_t i = begin; i < std::min(calls.size(), begin + kMostRows); ++i) {
      rows.row({calls[i].start, calls[i].node, calls[i].duration});
    }
    writer_.events(RecordType::kCalls, thread, 1, rows);
  }
}

void Recorder::flat_totals(std::uint32_t thread, std::int64_t time,
                           const std::vector<FlatTotals>& rows) {
  const auto wall = static_cast<std::size_t>(TimeKind::kWall);
  const std::vector<BatchMetric> metrics = {
      {metric(wall), 1}, {calls_metric(), 1}, {primitive_calls_metric(), 1}};
  RowWriter functions(checkpoint_columns(CheckpointSubject::kFunction, metrics));
  RowWriter edges(checkpoint_columns(CheckpointSubject::kEdge, metrics));
  for (const FlatTotals& row : rows) {
    if (row.caller == kNoNode) {
      functions.row({row.callee, row.self, row.total, row.calls, row.calls, row.primitive_calls,
                     row.primitive_calls});
    } else {
      edges.row({row.caller, row.callee, row.self, row.total, row.calls, row.calls,
                 row.primitive_calls, row.primitive_calls});
    }
  }
  writer_.checkpoint(time, thread, CheckpointSubject::kFunction, metrics, functions);
  writer_.checkpoint(time, thread, CheckpointSubject::kEdge, metrics, edges);
}

std::size_t Recorder::line_totals(std::int64_t time, const std::vector<LineTotals>& rows) {
  const std::vector<BatchMetric> metrics = {
      {extra_metric(hits_metric_, "hits", Unit::kCount), 1},
      {extra_metric(line_time_metric_, "line-time", Unit::kNanoseconds), 1},
      {extra_metric(line_self_metric_, "line-self", Unit::kNanoseconds), 1},
      {extra_metric(line_returns_metric_, "line-returns", Unit::kCount), 1}};
  RowWriter written(checkpoint_columns(CheckpointSubject::kLine, metrics));
  for (const LineTotals& row : rows) {
    written.row({row.function, row.line, row.hits, row.time, row.self, row.returns});
  }
  constexpr std::uint32_t kMainThread = 0;  // lines are measured for all threads together
  writer_.checkpoint(time, kMainThread, CheckpointSubject::kLine, metrics, written);
  return written.bytes().size();
}

}  // namespace pyrometer

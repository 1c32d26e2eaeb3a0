#include "record/columns.h"

namespace pyrometer {
namespace {

constexpr auto kPlain = Column::Coding::kPlain;
constexpr auto kSigned = Column::Coding::kSigned;
constexpr auto kDelta = Column::Coding::kDelta;

}  // namespace

std::vector<Column> line_table_columns() {
  return {{"instruction", kDelta},
          {"line", kDelta},
          {"end_line", kDelta},
          {"column", kSigned},
          {"end_column", kSigned}};
}

std::vector<Column> node_columns() {
  return {{"parent", kDelta}, {"target", kDelta}, {"line", kPlain}, {"instruction", kPlain}};
}

std::vector<Column> sample_columns(std::int64_t time_scale,
                                   const std::vector<BatchMetric>& metrics) {
  std::vector<Column> columns{{"time", kDelta, time_scale}, {"node", kDelta}};
  for (const BatchMetric& metric : metrics) {
    const bool is_same = metric.scale == BatchMetric::kSameAsBefore;
    columns.push_back({"value", is_same ? Column::Coding::kSame : kSigned, metric.scale});
  }
  return columns;
}

std::vector<Column> checkpoint_columns(CheckpointSubject subject,
                                       const std::vector<BatchMetric>& metrics) {
  std::vector<Column> columns;
  bool self_and_total = false;
  switch (subject) {
    case CheckpointSubject::kNode: columns = {{"node", kDelta}}; break;
    case CheckpointSubject::kLine: columns = {{"code", kDelta}, {"line", kDelta}}; break;
    case CheckpointSubject::kFunction:
      columns = {{"code", kDelta}};
      self_and_total = true;
      break;
    case CheckpointSubject::kEdge:
      columns = {{"caller", kDelta}, {"callee", kDelta}};
      self_and_total = true;
      break;
  }
  for (const BatchMetric& metric : metrics) {
    columns.push_back({self_and_total ? "self" : "value", kSigned, metric.scale});
    if (self_and_total) columns.push_back({"total", kSigned, metric.scale});
  }
  return columns;
}

std::vector<Column> call_columns(std::int64_t time_scale) {
  return {{"start", kDelta, time_scale}, {"node", kDelta}, {"duration", kPlain, time_scale}};
}

std::vector<Column> allocation_columns(std::int64_t time_scale) {
  return {{"time", kDelta, time_scale}, {"node", kDelta}, {"kind", kPlain},
          {"address", kDelta},          {"size", kPlain}, {"weight", kPlain}};
}

std::vector<Column> wait_columns(std::int64_t time_scale) {
  return {{"start", kDelta, time_scale},
          {"node", kDelta},
          {"object", kPlain},
          {"duration", kPlain, time_scale},
          {"bytes", kPlain}};
}

std::vector<Column> mpi_call_columns(std::int64_t time_scale) {
  return {{"node", kDelta},
          {"communicator", kPlain},
          {"size_class", kPlain},
          {"calls", kPlain},
          {"time", kPlain, time_scale},
          {"bytes", kPlain},
          {"quickest", kPlain, time_scale},
          {"slowest", kPlain, time_scale}};
}

std::vector<Column> live_columns() { return {{"node", kDelta}, {"bytes", kPlain}}; }

std::vector<Column> region_columns(std::int64_t time_scale) {
  return {{"start", kDelta, time_scale},
          {"name", kDelta},
          {"duration", kPlain, time_scale},
          {"depth", kPlain},
          {"opener", kSigned}};
}

std::vector<Column> counter_columns(std::int64_t time_scale) {
  return {{"time", kDelta, time_scale}, {"value", kDelta}};
}

}  // namespace pyrometer

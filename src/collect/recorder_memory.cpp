// How memory is recorded: totals so far by place, the heap over time, and what places held then.
#include "collect/recorder.h"

namespace pyrometer {
namespace {

struct MemoryMetric {
  const char* name;
  Unit unit;
  std::int64_t Recorder::MemoryTotals::*value;
};
constexpr MemoryMetric kMemoryMetrics[] = {
    {"allocated", Unit::kBytes, &Recorder::MemoryTotals::allocated},
    {"allocations", Unit::kCount, &Recorder::MemoryTotals::allocations},
    {"live", Unit::kBytes, &Recorder::MemoryTotals::live},
    {"live-blocks", Unit::kCount, &Recorder::MemoryTotals::live_blocks},
    {"peak", Unit::kBytes, &Recorder::MemoryTotals::peak},
    {"temporary", Unit::kBytes, &Recorder::MemoryTotals::temporary},
    {"untouched", Unit::kBytes, &Recorder::MemoryTotals::untouched},
    {"allocated-numpy", Unit::kBytes, &Recorder::MemoryTotals::allocated_numpy},
    {"live-numpy", Unit::kBytes, &Recorder::MemoryTotals::live_numpy},
    {"peak-numpy", Unit::kBytes, &Recorder::MemoryTotals::peak_numpy},
    {"allocated-native", Unit::kBytes, &Recorder::MemoryTotals::allocated_native},
    {"live-native", Unit::kBytes, &Recorder::MemoryTotals::live_native},
    {"peak-native", Unit::kBytes, &Recorder::MemoryTotals::peak_native},
};

}  // namespace

std::size_t Recorder::memory_totals(
    std::uint32_t thread, std::int64_t time,
    const std::vector<std::pair<std::uint32_t, MemoryTotals>>& rows) {
  if (memory_metrics_.empty()) {
    for (const MemoryMetric& metric : kMemoryMetrics) {
      memory_metrics_.push_back({writer_.add_metric(metric.name, metric.unit, Combine::kSum), 1});
    }
  }
  write_new_nodes();
  RowWriter written(checkpoint_columns(CheckpointSubject::kNode, memory_metrics_));
  std::vector<std::int64_t> row;
  for (const auto& [node, totals] : rows) {
    row.assign({node});
    for (const MemoryMetric& metric : kMemoryMetrics) row.push_back(totals.*metric.value);
    written.row(row);
  }
  writer_.checkpoint(time, thread, CheckpointSubject::kNode, memory_metrics_, written);
  return written.bytes().size();
}

std::size_t Recorder::copy_totals(std::uint32_t thread, std::int64_t time,
                                  const std::vector<std::pair<std::uint32_t, CopyTotals>>& rows) {
  if (copy_metrics_.empty()) {
    copy_metrics_ = {{writer_.add_metric("copied", Unit::kBytes, Combine::kSum), 1},
                     {writer_.add_metric("copies", Unit::kCount, Combine::kSum), 1}};
  }
  write_new_nodes();
  RowWriter written(checkpoint_columns(CheckpointSubject::kNode, copy_metrics_));
  for (const auto& [node, totals] : rows) written.row({node, totals.bytes, totals.copies});
  writer_.checkpoint(time, thread, CheckpointSubject::kNode, copy_metrics_, written);
  return written.bytes().size();
}

// Lines are measured for all threads together.
std::size_t Recorder::line_memory(std::int64_t time, const std::vector<LineMemoryTotals>& rows) {
  if (line_memory_metrics_.empty()) {
    const auto add = [&](const char* name, Combine combine) {
      line_memory_metrics_.push_back({writer_.add_metric(name, Unit::kBytes, combine), 1});
    };
    add("memory", Combine::kMax);
    add("increment", Combine::kSum);
    add("line-peak", Combine::kMax);
    add("line-temporary", Combine::kSum);
  }
  RowWriter written(checkpoint_columns(CheckpointSubject::kLine, line_memory_metrics_));
  for (const LineMemoryTotals& row : rows) {
    written.row({row.function, row.line, row.level, row.increment, row.peak, row.temporary});
  }
  constexpr std::uint32_t kMainThread = 0;
  writer_.checkpoint(time, kMainThread, CheckpointSubject::kLine, line_memory_metrics_, written);
  return written.bytes().size();
}

std::size_t Recorder::live_bytes(std::uint32_t thread, std::int64_t time,
                                 const std::vector<LiveBytes>& rows) {
  write_new_nodes();
  RowWriter written(live_columns());
  for (const LiveBytes& row : rows) written.row({row.node, row.bytes});
  writer_.live(thread, time, written);
  return written.bytes().size();
}

void Recorder::memory_points(const std::vector<MemoryPoint>& points) {
  const auto write = [&](std::uint32_t& counter, const char* name,
                         std::int64_t MemoryPoint::*value) {
    if (counter == UINT32_MAX) counter = writer_.add_counter(string(name), Unit::kBytes);
    RowWriter rows(counter_columns(resolution_));
    for (const MemoryPoint& point : points) rows.row({point.time, point.*value});
    writer_.events(RecordType::kCounterValues, counter, resolution_, rows);
  };
  write(resident_counter_, "memory", &MemoryPoint::resident);
  write(heap_counter_, "heap", &MemoryPoint::heap);
}

}  // namespace pyrometer

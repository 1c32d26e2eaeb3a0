#include "serve/memory_curves.h"

#include <algorithm>
#include <map>

#include "serve/row_columns.h"

namespace pyrometer {
namespace {

constexpr std::size_t kMostProcesses = 8;
constexpr std::size_t kMostPoints = 2000;  // of a curve

// By process, the most that it ever had.
std::vector<std::pair<std::int64_t, ProcessId>> processes_by_peak(
    const std::vector<MemorySeries>& series) {
  std::map<ProcessId, std::int64_t> peaks;
  for (const MemorySeries& each : series) {
    std::int64_t& peak = peaks[each.process];
    for (const auto& [time, bytes] : each.points) peak = std::max(peak, bytes);
  }
  std::vector<std::pair<std::int64_t, ProcessId>> order;
  for (const auto& [process, peak] : peaks) order.emplace_back(-peak, process);
  std::sort(order.begin(), order.end());
  return order;
}

}  // namespace

std::size_t write_memory_curves(ColumnsWriter& out, const Profile& profile) {
  const std::vector<MemorySeries> all = memory_series(profile);
  const auto order = processes_by_peak(all);
  const std::size_t shown = std::min(kMostProcesses, order.size());
  std::vector<MemorySeries> curves;
  for (const auto kind : {MemorySeries::Kind::kHeap, MemorySeries::Kind::kResident}) {
    if (order.size() < 2) break;
    MemorySeries together = series_together(all, kind);
    if (together.points.empty()) continue;
    together.points.pop_back();  // which says that all have ended
    curves.push_back(std::move(together));
  }
  for (std::size_t i = 0; i < shown; ++i) {
    for (const auto kind : {MemorySeries::Kind::kHeap, MemorySeries::Kind::kResident}) {
      const MemorySeries* series = find_series(all, order[i].second, kind);
      if (series != nullptr) curves.push_back(*series);
    }
  }
  std::vector<std::uint32_t> ends;
  std::vector<double> times, values;
  for (const MemorySeries& curve : curves) {
    for (const auto& [time, bytes] : thin_out(curve.points, kMostPoints)) {
      times.push_back(static_cast<double>(time) / 1e9);
      values.push_back(static_cast<double>(bytes));
    }
    ends.push_back(static_cast<std::uint32_t>(times.size()));
  }
  add_column<std::uint32_t>(out, "curve.process", curves, [](const MemorySeries& curve) {
    return curve.process.is_none() ? kNoRow : curve.process.row();
  });
  add_column<std::uint8_t>(out, "curve.kind", curves,
                           [](const MemorySeries& curve) { return curve.kind; });
  out.add("curve.end", std::span<const std::uint32_t>(ends));
  out.add("point.time", std::span<const double>(times));
  out.add("point.bytes", std::span<const double>(values));
  return order.size() - shown;
}

}  // namespace pyrometer

#include "serve/memory_processes.h"

#include <algorithm>
#include <limits>

#include "serve/row_columns.h"

namespace pyrometer {
namespace {

constexpr double kSecond = 1e9;
constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t kMostProcesses = 2000;

double number_or_none(std::optional<std::int64_t> value) {
  return value ? static_cast<double>(*value) : kUnknown;
}

double seconds_or_none(std::optional<std::int64_t> time) {
  return time ? static_cast<double>(*time) / kSecond : kUnknown;
}

}  // namespace

std::size_t write_memory_processes(ColumnsWriter& out, std::vector<ProcessMemory> processes) {
  const auto most = [](const ProcessMemory& each) {
    return std::max(each.heap ? each.heap->bytes : 0, each.resident ? each.resident->bytes : 0);
  };
  std::stable_sort(
      processes.begin(), processes.end(),
      [&](const ProcessMemory& a, const ProcessMemory& b) { return most(a) > most(b); });
  const std::size_t left_out = processes.size() - std::min(kMostProcesses, processes.size());
  processes.erase(processes.end() - static_cast<std::ptrdiff_t>(left_out), processes.end());
  using Row = const ProcessMemory&;
  const auto bytes = [](const std::optional<MemoryPeak>& peak) {
    return number_or_none(peak ? std::optional(peak->bytes) : std::nullopt);
  };
  const auto time = [](const std::optional<MemoryPeak>& peak) {
    return seconds_or_none(peak ? peak->time : std::nullopt);
  };
  add_column<std::uint32_t>(out, "process.row", processes, [](Row r) { return r.process.row(); });
  add_column<double>(out, "process.heap", processes, [&](Row r) { return bytes(r.heap); });
  add_column<double>(out, "process.heap-time", processes, [&](Row r) { return time(r.heap); });
  add_column<double>(out, "process.resident", processes, [&](Row r) { return bytes(r.resident); });
  add_column<double>(out, "process.resident-time", processes,
                     [&](Row r) { return time(r.resident); });
  add_column<double>(out, "process.limit", processes,
                     [](Row r) { return number_or_none(r.limit); });
  add_column<double>(out, "process.physical", processes,
                     [](Row r) { return number_or_none(r.physical); });
  add_column<double>(out, "process.live", processes, [](Row r) { return r.figures.live; });
  add_column<double>(out, "process.allocated", processes,
                     [](Row r) { return r.figures.allocated; });
  return left_out;
}

}  // namespace pyrometer

#include "report/memory_json_parts.h"

namespace pyrometer {
namespace {

struct FigureName {
  const char* name;
  MemoryFigure figure;
};
constexpr FigureName kFigureNames[] = {
    {"peak_bytes", &MemoryFigures::peak},
    {"live_bytes", &MemoryFigures::live},
    {"live_blocks", &MemoryFigures::live_blocks},
    {"allocated_bytes", &MemoryFigures::allocated},
    {"allocations", &MemoryFigures::allocations},
    {"temporary_bytes", &MemoryFigures::temporary},
    {"untouched_bytes", &MemoryFigures::untouched},
    {"copied_bytes", &MemoryFigures::copied},
    {"copies", &MemoryFigures::copies},
    {"peak_numpy_bytes", &MemoryFigures::peak_numpy},
    {"peak_native_bytes", &MemoryFigures::peak_native},
    {"live_numpy_bytes", &MemoryFigures::live_numpy},
    {"live_native_bytes", &MemoryFigures::live_native},
    {"allocated_numpy_bytes", &MemoryFigures::allocated_numpy},
    {"allocated_native_bytes", &MemoryFigures::allocated_native},
};

template <class Number>
void write_optional(JsonWriter& json, const char* name, std::optional<Number> value) {
  json.key(name);
  value ? json.value(*value) : json.null();
}

void write_processes(JsonWriter& json, const MemorySubject& subject) {
  json.key("processes").begin_array();
  for (const ProcessMemory& memory : subject.facts.processes) {
    const Process& process = subject.profile().processes[memory.process.row()];
    json.begin_object().member("process", memory.process.row()).key("rank");
    process.rank >= 0 ? json.value(process.rank) : json.null();
    json.member("host", process.host).member("pid", process.pid);
    write_memory_peak(json, "heap", memory.heap);
    write_memory_peak(json, "resident", memory.resident);
    write_optional(json, "limit_bytes", memory.limit);
    write_optional(json, "cgroup_peak_bytes", memory.cgroup_peak);
    write_optional(json, "physical_bytes", memory.physical);
    write_optional(json, "limit_share", memory.share_of_available());
    write_figures(json, memory.figures);
    json.end_object();
  }
  json.end_array();
}

void write_across(JsonWriter& json, const char* name, const AcrossRanks& across,
                  const MemorySpread& spread) {
  json.key(name);
  if (across.is_empty()) {
    json.null();
    return;
  }
  const auto process = [&](std::uint32_t row) { return spread.processes[row].row(); };
  json.begin_object().member("count", across.ranks);
  json.member("least_bytes", across.least).member("least_process", process(across.least_rank));
  json.member("mean_bytes", across.mean(across.ranks));
  json.member("deviation_bytes", across.deviation(across.ranks));
  json.member("most_bytes", across.maximum);
  json.member("most_process", process(across.maximum_rank));
  json.member("imbalance", across.imbalance(across.ranks)).end_object();
}

void write_spread(JsonWriter& json, const MemorySpread& spread) {
  json.key("spread").begin_object().member("of", spread.is_of_ranks ? "ranks" : "processes");
  write_across(json, "heap", spread.heap, spread);
  write_across(json, "resident", spread.resident, spread);
  write_across(json, "live", spread.live, spread);
  json.end_object();
}

void write_hosts(JsonWriter& json, const std::vector<HostMemory>& hosts) {
  json.key("hosts").begin_array();
  for (const HostMemory& host : hosts) {
    json.begin_object().member("host", host.name).member("processes", host.processes);
    write_memory_peak(json, "resident", host.resident);
    write_optional(json, "available_bytes", host.available);
    json.member("is_limit", host.is_limit);
    write_optional(json, "share", host.share());
    json.end_object();
  }
  json.end_array();
}

}  // namespace

void write_figures(JsonWriter& json, const MemoryFigures& figures) {
  for (const FigureName& each : kFigureNames) json.member(each.name, figures.*each.figure);
}

void write_memory_peak(JsonWriter& json, const char* name, const std::optional<MemoryPeak>& peak) {
  json.key(name);
  if (!peak) {
    json.null();
    return;
  }
  json.begin_object().member("bytes", peak->bytes);
  write_optional(json, "time_ns", peak->time);
  json.end_object();
}

void write_memory_comparison(JsonWriter& json, const MemorySubject& subject) {
  write_processes(json, subject);
  write_spread(json, subject.spread);
  write_hosts(json, subject.hosts);
}

}  // namespace pyrometer

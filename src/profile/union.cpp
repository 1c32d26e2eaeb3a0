// ProfileBuilder::add_profile: the union of two profiles.
#include "profile/builder.h"
#include "profile/mpi_values.h"

namespace pyrometer {
namespace {

// Where the rows of one profile's tables went in another's.
struct RowMaps {
  std::vector<MetricId> metrics;
  std::vector<ModuleId> modules;
  std::vector<FunctionId> functions;
  std::vector<NodeId> nodes;
  std::vector<ProcessId> processes;
  std::vector<ThreadId> threads;

  template <class T>
  static T look_up(const std::vector<T>& map, T from) {
    return from.is_none() ? from : map[from.row()];
  }
};

RowMaps map_tables(ProfileBuilder& into, const Profile& other) {
  RowMaps maps;
  for (const Metric& metric : other.metrics) maps.metrics.push_back(into.metric(metric));
  for (const Module& module : other.modules) {
    maps.modules.push_back(into.module(other.text(module.path), module.build_id));
  }
  for (const Function& function : other.functions) {
    maps.functions.push_back(
        into.function({.kind = function.kind,
                       .name = other.text(function.name),
                       .qualified_name = other.text(function.qualified_name),
                       .file = other.text(function.file),
                       .short_file = other.text(function.short_file),
                       .first_line = function.first_line,
                       .first_column = function.first_column,
                       .module = RowMaps::look_up(maps.modules, function.module),
                       .offset = function.offset}));
  }
  maps.nodes.reserve(other.nodes.size());
  for (const Node& node : other.nodes) {
    maps.nodes.push_back(into.node(RowMaps::look_up(maps.nodes, node.parent),
                                   maps.functions[node.function.row()], node.line));
  }
  for (const Process& process : other.processes) {
    maps.processes.push_back(into.add_process(process));
  }
  for (const Thread& thread : other.threads) {
    Thread copy = thread;
    copy.process = maps.processes[thread.process.row()];
    copy.name = into.string(other.text(thread.name));
    maps.threads.push_back(into.add_thread(copy));
  }
  return maps;
}

void copy_values(ProfileBuilder& into, const Profile& other, const RowMaps& maps) {
  const bool has_mpi_calls = !other.mpi_calls.empty();
  for (std::size_t thread = 0; thread < other.thread_cells.size(); ++thread) {
    ValueRows& rows = into.values(maps.threads[thread]);
    for (std::size_t metric = 0; metric < other.metrics.size(); ++metric) {
      if (has_mpi_calls && is_derived_of_mpi_calls(other.metrics[metric].name)) continue;
      const MetricId to = maps.metrics[metric];
      const Combine combine = other.metrics[metric].combine;
      for (const Cell& cell : other.thread_cells[thread][metric]) {
        std::int64_t& value = rows.row(maps.nodes[cell.node.row()])[to];
        value = combined(combine, value, cell.value);
      }
    }
  }
  for (MpiCalls calls : other.mpi_calls) {
    calls.thread = maps.threads[calls.thread.row()];
    calls.node = maps.nodes[calls.node.row()];
    into.add_mpi_calls(calls);
  }
  for (const FlatValue& flat : other.flat_values) {
    into.add_flat({maps.threads[flat.thread.row()], maps.metrics[flat.metric.row()],
                   RowMaps::look_up(maps.functions, flat.caller), maps.functions[flat.callee.row()],
                   flat.self, flat.total});
  }
  for (const LineValue& line : other.line_values) {
    into.add_line({maps.threads[line.thread.row()], maps.metrics[line.metric.row()],
                   maps.functions[line.function.row()], line.line, line.value});
  }
}

void copy_events(ProfileBuilder& into, const Profile& other, const RowMaps& maps) {
  Profile& profile = into.profile();
  for (const SampleTrack& track : other.samples) {
    std::vector<MetricId> metrics;
    for (const MetricId metric : track.metrics()) metrics.push_back(maps.metrics[metric.row()]);
    SampleTrack& copy =
        profile.samples.emplace_back(maps.threads[track.thread().row()], std::move(metrics));
    track.for_each([&](std::int64_t time, NodeId node, std::span<const std::int64_t> values) {
      copy.append(time, maps.nodes[node.row()], values);
    });
  }
  for (CallTrack track : other.calls) {
    track.thread = maps.threads[track.thread.row()];
    for (CallTrack::Call& call : track.calls) call.node = maps.nodes[call.node.row()];
    profile.calls.push_back(std::move(track));
  }
  for (Region region : other.regions) {
    region.thread = maps.threads[region.thread.row()];
    region.name = into.string(other.text(region.name));
    region.opener = RowMaps::look_up(maps.functions, region.opener);
    profile.regions.push_back(region);
  }
  for (CounterSeries series : other.counters) {
    series.process = maps.processes[series.process.row()];
    series.name = into.string(other.text(series.name));
    profile.counters.push_back(std::move(series));
  }
  for (LiveTrack track : other.live_tracks) {
    track.thread = maps.threads[track.thread.row()];
    track.node = maps.nodes[track.node.row()];
    profile.live_tracks.push_back(std::move(track));
  }
  for (Message message : other.messages) {
    message.process = maps.processes[message.process.row()];
    profile.messages.push_back(std::move(message));
  }
  for (const auto& [file, source] : other.sources) {
    profile.sources.try_emplace(into.string(other.text(file)), source);
  }
}

}  // namespace

void ProfileBuilder::add_profile(const Profile& other) {
  const RowMaps maps = map_tables(*this, other);
  copy_values(*this, other, maps);
  copy_events(*this, other, maps);
  profile_.notes.insert(profile_.notes.end(), other.notes.begin(), other.notes.end());
  profile_.paths_are_estimated |= other.paths_are_estimated;
  profile_.is_sampled |= other.is_sampled;
}

}  // namespace pyrometer

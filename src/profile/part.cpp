#include "profile/part.h"

#include "profile/builder.h"

namespace pyrometer {
namespace {

class PartOfProfile {
 public:
  PartOfProfile(const Profile& from, const std::vector<bool>& processes)
      : from_(from),
        processes_(from.processes.size(), ProcessId::none()),
        threads_(from.threads.size(), ThreadId::none()),
        functions_(from.functions.size(), FunctionId::none()),
        nodes_(from.nodes.size(), NodeId::none()) {
    for (const Metric& metric : from.metrics) metrics_.push_back(to_.metric(metric));
    for (std::size_t i = 0; i < processes_.size(); ++i) {
      if (processes[i]) processes_[i] = to_.add_process(from.processes[i]);
    }
    for (std::size_t i = 0; i < threads_.size(); ++i) {
      Thread thread = from.threads[i];
      if (!processes[thread.process.row()]) continue;
      thread.process = processes_[thread.process.row()];
      thread.name = string(thread.name);
      threads_[i] = to_.add_thread(thread);
    }
  }

  Profile run() {
    copy_values();
    copy_events();
    Profile& to = to_.profile();
    for (const auto& [file, source] : from_.sources) to.sources.try_emplace(string(file), source);
    to.notes = from_.notes;
    to.paths_are_estimated = from_.paths_are_estimated;
    to.is_sampled = from_.is_sampled;
    return to_.finish();
  }

 private:
  StringId string(StringId id) { return to_.string(from_.text(id)); }
  ThreadId thread(ThreadId id) const { return threads_[id.row()]; }
  MetricId metric(MetricId id) const { return metrics_[id.row()]; }

  FunctionId function(FunctionId id) {
    if (id.is_none()) return id;
    if (!functions_[id.row()].is_none()) return functions_[id.row()];
    const Function& function = from_.functions[id.row()];
    ModuleId module;
    if (!function.module.is_none()) {
      const Module& its = from_.modules[function.module.row()];
      module = to_.module(from_.text(its.path), its.build_id);
    }
    return functions_[id.row()] =
               to_.function({.kind = function.kind,
                             .name = from_.text(function.name),
                             .qualified_name = from_.text(function.qualified_name),
                             .file = from_.text(function.file),
                             .short_file = from_.text(function.short_file),
                             .first_line = function.first_line,
                             .first_column = function.first_column,
                             .module = module,
                             .offset = function.offset});
  }

  NodeId node(NodeId id) {
    // The way up to what is known already, then down again: never recursive, as paths are deep.
    std::vector<NodeId> missing;
    for (NodeId at = id; !at.is_none() && nodes_[at.row()].is_none();
         at = from_.nodes[at.row()].parent) {
      missing.push_back(at);
    }
    for (; !missing.empty(); missing.pop_back()) {
      const Node& node = from_.nodes[missing.back().row()];
      const NodeId parent = node.parent.is_none() ? node.parent : nodes_[node.parent.row()];
      nodes_[missing.back().row()] = to_.node(parent, function(node.function), node.line);
    }
    return nodes_[id.row()];
  }

  void copy_values() {
    for (std::size_t i = 0; i < from_.thread_cells.size(); ++i) {
      if (threads_[i].is_none()) continue;
      for (std::size_t m = 0; m < metrics_.size(); ++m) {
        for (const Cell& cell : from_.thread_cells[i][m]) {
          to_.values(threads_[i]).row(node(cell.node))[metrics_[m]] = cell.value;
        }
      }
    }
    for (const FlatValue& flat : from_.flat_values) {
      if (thread(flat.thread).is_none()) continue;
      to_.add_flat({thread(flat.thread), metric(flat.metric), function(flat.caller),
                    function(flat.callee), flat.self, flat.total});
    }
    for (const LineValue& line : from_.line_values) {
      if (thread(line.thread).is_none()) continue;
      to_.add_line({thread(line.thread), metric(line.metric), function(line.function), line.line,
                    line.value});
    }
  }

  void copy_samples(const SampleTrack& track) {
    std::vector<MetricId> metrics;
    for (const MetricId id : track.metrics()) metrics.push_back(metric(id));
    SampleTrack& copy =
        to_.profile().samples.emplace_back(thread(track.thread()), std::move(metrics));
    track.for_each([&](std::int64_t time, NodeId at, std::span<const std::int64_t> values) {
      copy.append(time, node(at), values);
    });
  }

  void copy_events() {
    Profile& to = to_.profile();
    for (const SampleTrack& track : from_.samples) {
      if (!thread(track.thread()).is_none()) copy_samples(track);
    }
    for (CallTrack track : from_.calls) {
      track.thread = thread(track.thread);
      if (track.thread.is_none()) continue;
      for (CallTrack::Call& call : track.calls) call.node = node(call.node);
      to.calls.push_back(std::move(track));
    }
    for (Region region : from_.regions) {
      region.thread = thread(region.thread);
      region.name = string(region.name);
      region.opener = function(region.opener);
      if (!region.thread.is_none()) to.regions.push_back(region);
    }
    for (CounterSeries series : from_.counters) {
      series.process = processes_[series.process.row()];
      series.name = string(series.name);
      if (!series.process.is_none()) to.counters.push_back(std::move(series));
    }
    for (LiveTrack track : from_.live_tracks) {
      track.thread = thread(track.thread);
      if (track.thread.is_none()) continue;
      track.node = node(track.node);
      to.live_tracks.push_back(std::move(track));
    }
    for (Message message : from_.messages) {
      message.process = processes_[message.process.row()];
      if (!message.process.is_none()) to.messages.push_back(std::move(message));
    }
  }

  const Profile& from_;
  ProfileBuilder to_;
  // Where rows went; none: nowhere yet, or not at all.
  std::vector<MetricId> metrics_;
  std::vector<ProcessId> processes_;
  std::vector<ThreadId> threads_;
  std::vector<FunctionId> functions_;
  std::vector<NodeId> nodes_;
};

}  // namespace

Profile part_of_profile(const Profile& profile, const std::vector<bool>& processes) {
  return PartOfProfile(profile, processes).run();
}

}  // namespace pyrometer

#include "analyze/transform_nodes.h"

#include <algorithm>

#include "profile/builder.h"
#include "profile/tables.h"

namespace pyrometer {
namespace {

class NodeTransform {
 public:
  NodeTransform(const Profile& from, std::span<const NodeFate> fates)
      : from_(from),
        fates_(fates),
        positions_(from.nodes.size(), NodeId::none()),
        is_dropped_(from.nodes.size()),
        homes_(from.nodes.size(), NodeId::none()) {
    builder_.profile() = all_but_positions(from);
  }

  Profile run() {
    place_nodes();
    copy_events();
    // The builder only makes positions, each once and with its id; values are moved below.
    Profile to = std::move(builder_.profile());
    move_totals(to);
    move_cells(to);
    return to;
  }

 private:
  void place_nodes() {
    for (std::size_t i = 0; i < from_.nodes.size(); ++i) {
      const Node& node = from_.nodes[i];
      const bool is_root = node.parent.is_none();
      const NodeId parent = is_root ? NodeId::none() : positions_[node.parent.row()];
      is_dropped_[i] = fates_[i] == NodeFate::kDrop || (!is_root && is_dropped_[node.parent.row()]);
      if (is_dropped_[i]) continue;
      if (fates_[i] == NodeFate::kFold) {
        positions_[i] = parent;
        homes_[i] = parent.is_none() && has_value(i) ? left_out() : parent;
      } else {
        positions_[i] = builder_.node(parent, node.function, node.line);
        if (fates_[i] == NodeFate::kKeep) homes_[i] = positions_[i];
      }
    }
  }

  bool has_value(std::size_t node) const {
    const auto& totals = from_.node_totals;
    return std::any_of(totals.begin(), totals.end(),
                       [node](const auto& of_metric) { return of_metric[node] != 0; });
  }

  NodeId left_out() {
    if (left_out_.is_none()) {
      const FunctionId label = builder_.function(
          {.kind = FunctionKind::kLabel, .name = "[left out]", .qualified_name = "[left out]"});
      left_out_ = builder_.node(NodeId::none(), label, 0);
    }
    return left_out_;
  }

  bool is_moved(std::size_t node, std::size_t metric) const {
    if (homes_[node].is_none()) return false;
    return fates_[node] != NodeFate::kFold || !is_count_of_calls(from_.metrics[metric]);
  }

  void move_totals(Profile& to) const {
    to.node_totals.assign(to.metrics.size(), std::vector<std::int64_t>(to.nodes.size()));
    for (std::size_t metric = 0; metric < to.metrics.size(); ++metric) {
      for (std::size_t i = 0; i < from_.nodes.size(); ++i) {
        if (!is_moved(i, metric)) continue;
        std::int64_t& total = to.node_totals[metric][homes_[i].row()];
        total = combined(to.metrics[metric].combine, total, from_.node_totals[metric][i]);
      }
    }
  }

  // Without values per thread, which a summary lacks, totals of processes stay as they are.
  void move_cells(Profile& to) const {
    if (from_.thread_cells.empty()) return;
    to.process_totals.assign(to.processes.size(), std::vector<std::int64_t>(to.metrics.size()));
    for (std::size_t thread = 0; thread < from_.thread_cells.size(); ++thread) {
      auto& of_process = to.process_totals[to.threads[thread].process.row()];
      ValueRows rows;
      for (std::size_t metric = 0; metric < to.metrics.size(); ++metric) {
        const Combine combine = to.metrics[metric].combine;
        for (const Cell& cell : from_.thread_cells[thread][metric]) {
          if (!is_moved(cell.node.row(), metric)) continue;
          std::int64_t& value = rows.row(homes_[cell.node.row()])[MetricId::from_index(metric)];
          value = combined(combine, value, cell.value);
          of_process[metric] = combined(combine, of_process[metric], cell.value);
        }
      }
      to.thread_cells.push_back(rows.cells(to.metrics.size()));
    }
  }

  void copy_events() {
    for (const SampleTrack& track : from_.samples) {
      SampleTrack& copy = builder_.profile().samples.emplace_back(track.thread(), track.metrics());
      track.for_each([&](std::int64_t time, NodeId node, std::span<const std::int64_t> values) {
        if (!homes_[node.row()].is_none()) copy.append(time, homes_[node.row()], values);
      });
    }
    for (const CallTrack& track : from_.calls) {
      CallTrack& copy = builder_.profile().calls.emplace_back();
      copy.thread = track.thread;
      for (const CallTrack::Call& call : track.calls) {
        if (fates_[call.node.row()] != NodeFate::kKeep || is_dropped_[call.node.row()]) continue;
        copy.calls.push_back({call.start, call.duration, positions_[call.node.row()]});
      }
    }
    for (LiveTrack track : from_.live_tracks) {
      track.node = homes_[track.node.row()];
      if (!track.node.is_none()) builder_.profile().live_tracks.push_back(std::move(track));
    }
  }

  const Profile& from_;
  std::span<const NodeFate> fates_;
  ProfileBuilder builder_;
  std::vector<NodeId> positions_;  // by old node: what its children are called by now
  std::vector<bool> is_dropped_;
  std::vector<NodeId> homes_;  // by old node: where its values go, none: nowhere
  NodeId left_out_;
};

}  // namespace

bool is_count_of_calls(const Metric& metric) {
  return metric.name == metric::kCalls || metric.name == metric::kPrimitiveCalls;
}

Profile transform_nodes(const Profile& profile, std::span<const NodeFate> fates) {
  return NodeTransform(profile, fates).run();
}

}  // namespace pyrometer

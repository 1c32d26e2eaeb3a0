#include "load/tau.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "formats/tau_names.h"
#include "load/tau_metrics.h"
#include "load/tau_rows.h"
#include "profile/builder.h"
#include "profile/estimated_paths.h"

namespace pyrometer {
namespace {

constexpr std::size_t kMostEstimatedNodes = 50'000;
// Of metadata that a packed file has once, and every process of it.
constexpr std::size_t kMostSharedFacts = std::size_t{64} << 20;

// The facts of a run that a Process has a place for.
void read_facts(const TauMetadata& metadata, Process& process) {
  for (const auto& [name, value] : metadata) {
    const auto number = static_cast<std::int64_t>(std::strtoll(value.c_str(), nullptr, 10));
    if (name == "Hostname") process.host = value;
    if (name == "pid") process.pid = static_cast<std::uint64_t>(number);
    if (name == "Starting Timestamp") process.start = number * 1000;  // from microseconds
    process.attributes.emplace_back("tau." + name, value);
  }
}

// Events have a place in no table of ours; as attributes they are kept and exported again.
void keep_events(const TauProfile& tau, const TauThread& thread, Process& process) {
  for (const TauEvent& event : thread.events) {
    process.attributes.emplace_back(
        fmt::format("tau.event.{}.{}", thread.place.thread, tau.events[event.name]),
        fmt::format("{:.16G} {:.16G} {:.16G} {:.16G} {:.16G}", event.count, event.largest,
                    event.smallest, event.mean, event.sum_of_squares));
  }
}

bool is_sampled(TauFrameKind kind) {
  return kind == TauFrameKind::kSample || kind == TauFrameKind::kUnwind;
}

class TauLoader {
 public:
  explicit TauLoader(const TauProfile& tau)
      : tau_(tau), metrics_(builder_, tau.metrics), names_(builder_, tau) {
    for (const auto& [name, value] : tau.metadata) {
      shared_facts_ += sizeof(TauMetadata::value_type) + name.size() + value.size();
    }
  }

  Profile load() {
    std::vector<const TauThread*> threads;
    for (const TauThread& thread : tau_.threads) threads.push_back(&thread);
    std::stable_sort(threads.begin(), threads.end(),
                     [](const auto* a, const auto* b) { return a->place < b->place; });
    for (const TauThread* thread : threads) add_thread(*thread);
    return builder_.finish();
  }

 private:
  void add_thread(const TauThread& thread) {
    const TauPlace& place = thread.place;
    if (process_.is_none() || std::pair(place.node, place.context) != node_) {
      node_ = {place.node, place.context};
      Process process{.rank = std::max(0, place.node)};
      if (shared_facts_ <= shared_facts_left_) {
        shared_facts_left_ -= shared_facts_;
        read_facts(tau_.metadata, process);
      }
      read_facts(thread.metadata, process);
      process_ = builder_.add_process(std::move(process));
    }
    const bool is_main = place.thread == 0;
    thread_ = builder_.add_thread(
        {.process = process_,
         .thread_class = is_main ? ThreadClass::kMain : ThreadClass::kPython,
         .name = builder_.string(is_main ? "main" : fmt::format("thread {}", place.thread))});
    Process& process = builder_.profile().processes[process_.row()];
    process.duration = std::max(process.duration, longest(thread));
    keep_events(tau_, thread, process);
    const TauRows rows(tau_, thread, names_);
    rows.has_whole_paths() ? add_tree(thread, rows) : add_flat(thread, rows);
  }

  std::int64_t longest(const TauThread& thread) const {
    std::int64_t longest = 0;
    for (std::size_t metric = 0; metric < tau_.metrics.size(); ++metric) {
      if (!metrics_.is_time(metric)) continue;
      for (std::size_t i = 0; i < thread.rows.size(); ++i) {
        longest = std::max(longest, metrics_.value(metric, thread.value(metric, i).inclusive));
      }
    }
    return longest;
  }

  // ---- whole paths

  NodeId node_of(std::span<const std::uint32_t> path, bool without_root) {
    NodeId node;
    bool is_first = true;
    for (const std::uint32_t name : path) {
      const bool is_left_out = is_first && without_root && names_[name].is_application;
      is_first = false;
      if (is_left_out || names_[name].is_transparent()) continue;
      node = builder_.node(node, names_[name].function, names_[name].line);
    }
    return node;
  }

  void add_values(NodeId node, const TauThread& thread, std::size_t row) {
    if (node.is_none()) return;
    for (std::size_t metric = 0; metric < tau_.metrics.size(); ++metric) {
      builder_.values(thread_).row(node)[metrics_[metric]] +=
          metrics_.value(metric, thread.value(metric, row).exclusive);
    }
  }

  void add_calls(NodeId node, TauFrameKind kind, double calls) {
    if (node.is_none() || calls < 0.5) return;
    // Of samples, calls are their number; of frames above them, nothing is known.
    if (kind == TauFrameKind::kUnwind) return;
    const bool is_sample = kind == TauFrameKind::kSample;
    builder_.profile().is_sampled |= is_sample;
    const MetricId metric = is_sample ? metrics_.samples() : metrics_.calls();
    builder_.values(thread_).row(node)[metric] += rounded_count(calls);
  }

  void add_tree(const TauThread& thread, const TauRows& rows) {
    const bool without_root = rows.application_is_empty();
    std::vector<NodeId> sampled;
    for (const TauRows::Path& path : rows.paths()) {
      const auto& leaf = names_[path.names.back()];
      const NodeId node = node_of(path.names, without_root);
      if (leaf.kind == TauFrameKind::kContext) {
        // The timer's own time holds that of the samples below it.
        if (node.is_none()) continue;
        sampled.push_back(node);
        for (std::size_t metric = 0; metric < tau_.metrics.size(); ++metric) {
          builder_.values(thread_).row(node)[metrics_[metric]] -=
              metrics_.value(metric, thread.value(metric, path.row).inclusive);
        }
      } else if (leaf.kind != TauFrameKind::kSummary) {
        add_values(node, thread, path.row);
        add_calls(node, leaf.kind, thread.rows[path.row].calls);
      }
    }
    // A timer that no path explains wholly was called by nobody that TAU knows.
    for (const TauRows::Rest& rest : rows.unexplained()) add_rest(rest, without_root);
    for (const NodeId node : sampled) {
      for (std::size_t metric = 0; metric < tau_.metrics.size(); ++metric) {
        std::int64_t& value = builder_.values(thread_).row(node)[metrics_[metric]];
        value = std::max<std::int64_t>(0, value);
      }
    }
  }

  void add_rest(const TauRows::Rest& rest, bool without_root) {
    std::vector<std::int64_t> values;
    bool is_empty = rest.calls < 0.5;
    for (std::size_t metric = 0; metric < tau_.metrics.size(); ++metric) {
      values.push_back(metrics_.value(metric, rest.exclusive[metric]));
      is_empty &= values.back() == 0;
    }
    const NodeId node = is_empty ? NodeId() : node_of(std::span(&rest.name, 1), without_root);
    if (node.is_none()) return;
    for (std::size_t metric = 0; metric < tau_.metrics.size(); ++metric) {
      builder_.values(thread_).row(node)[metrics_[metric]] += values[metric];
    }
    add_calls(node, names_[rest.name].kind, rest.calls);
  }

  // ---- a flat table, with edges where paths are cut

  // Without the samples below it, which have rows of their own.
  std::int64_t own_value(const TauThread& thread, std::size_t metric, std::size_t row,
                         std::optional<std::size_t> context) const {
    const double samples = context ? thread.value(metric, *context).inclusive : 0;
    return metrics_.value(metric, std::max(0.0, thread.value(metric, row).exclusive - samples));
  }

  void add_cost(FunctionId caller, FunctionId callee, const TauThread& thread, std::size_t row,
                bool is_sample, std::optional<std::size_t> context = std::nullopt) {
    for (std::size_t metric = 0; metric < tau_.metrics.size(); ++metric) {
      builder_.add_flat({thread_, metrics_[metric], caller, callee,
                         own_value(thread, metric, row, context),
                         metrics_.value(metric, thread.value(metric, row).inclusive)});
    }
    // Of samples, calls are their number.
    if (is_sample) return;
    const std::int64_t calls = rounded_count(thread.rows[row].calls);
    builder_.add_flat({thread_, metrics_.calls(), caller, callee, calls, calls});
    builder_.add_flat({thread_, metrics_.primitive_calls(), caller, callee, calls, calls});
  }

  void add_flat(const TauThread& thread, const TauRows& rows) {
    for (const TauRows::Path& flat : rows.flat()) {
      const auto& name = names_[flat.names.front()];
      if (name.is_transparent()) continue;
      add_cost(FunctionId::none(), name.function, thread, flat.row, is_sampled(name.kind),
               rows.context_of(flat.names.front()));
    }
    for (const TauRows::Path& path : rows.paths()) {
      const auto edge = rows.last_edge(path);
      if (!edge) continue;
      add_cost(names_[edge->first].function, names_[edge->second].function, thread, path.row,
               is_sampled(names_[edge->second].kind));
    }
    for (std::size_t metric = 0; metric < tau_.metrics.size(); ++metric) {
      add_estimated_paths(builder_, thread_, metrics_[metric], flat_graph(thread, rows, metric),
                          kMostEstimatedNodes);
    }
  }

  // The flat table as one metric sees it.
  FlatCallGraph flat_graph(const TauThread& thread, const TauRows& rows, std::size_t metric) const {
    FlatCallGraph graph;
    std::map<FunctionId, std::uint32_t> indexes;
    std::vector<double> entered;
    for (const TauRows::Path& flat : rows.flat()) {
      const auto& name = names_[flat.names.front()];
      if (name.is_transparent()) continue;
      const auto [found, is_new] =
          indexes.try_emplace(name.function, static_cast<std::uint32_t>(graph.functions.size()));
      if (is_new) graph.functions.push_back({.id = name.function});
      entered.resize(graph.functions.size());
      entered[found->second] += thread.rows[flat.row].calls;
      FlatCallGraph::Function& function = graph.functions[found->second];
      function.self += own_value(thread, metric, flat.row, rows.context_of(flat.names.front()));
      function.total += metrics_.value(metric, thread.value(metric, flat.row).inclusive);
    }
    for (const TauRows::Path& path : rows.paths()) {
      const auto edge = rows.last_edge(path);
      if (!edge) continue;
      const auto caller = indexes.find(names_[edge->first].function);
      const auto callee = indexes.find(names_[edge->second].function);
      if (caller == indexes.end() || callee == indexes.end()) continue;
      entered[callee->second] -= thread.rows[path.row].calls;
      const double weight = thread.value(metric, path.row).inclusive;
      if (weight > 0) graph.edges.push_back({caller->second, callee->second, weight});
    }
    for (std::size_t i = 0; i < entered.size(); ++i) graph.functions[i].is_entered = entered[i] > 0;
    return graph;
  }

  const TauProfile& tau_;
  ProfileBuilder builder_;
  TauMetrics metrics_;
  TauNames names_;
  ProcessId process_;
  std::pair<std::int32_t, std::int32_t> node_;
  ThreadId thread_;
  std::size_t shared_facts_ = 0;  // bytes of them
  std::size_t shared_facts_left_ = kMostSharedFacts;
};

}  // namespace

Profile load_tau(const TauProfile& tau) { return TauLoader(tau).load(); }

}  // namespace pyrometer

#include "analyze/rank_costs.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "profile/tables.h"
#include "profile/value_rows.h"

namespace pyrometer {
namespace {

// By process: the number of its group.
std::vector<std::size_t> group_processes(const Profile& profile, std::size_t& groups) {
  std::map<std::int64_t, std::size_t> of_rank;
  std::vector<std::size_t> group;
  groups = 0;
  for (const Process& process : profile.processes) {
    if (process.rank < 0) {
      group.push_back(groups++);
      continue;
    }
    const auto [found, is_new] = of_rank.try_emplace(process.rank, groups);
    groups += is_new ? 1 : 0;
    group.push_back(found->second);
  }
  return group;
}

template <class Value>
std::vector<std::vector<Value>> divide(const std::vector<Value>& values,
                                       const std::vector<std::size_t>& group_of_thread,
                                       std::size_t groups) {
  std::vector<std::vector<Value>> divided(groups);
  for (const Value& value : values) {
    divided[group_of_thread[value.thread.row()]].push_back(value);
  }
  return divided;
}

// The profile with the values of one group of threads, then of the next: its tables of functions
// and positions serve them all and may be large.
class ProfileByGroup {
 public:
  ProfileByGroup(const Profile& profile, const std::vector<std::size_t>& group_of_thread,
                 std::size_t groups)
      : whole_(profile),
        part_(tables_of(profile)),
        threads_(groups),
        flat_values_(divide(profile.flat_values, group_of_thread, groups)),
        line_values_(divide(profile.line_values, group_of_thread, groups)) {
    for (std::size_t i = 0; i < profile.thread_cells.size(); ++i) {
      threads_[group_of_thread[i]].push_back(i);
    }
    part_.nodes = profile.nodes;
    part_.thread_cells.resize(profile.thread_cells.size(), ThreadCells(profile.metrics.size()));
  }

  // Each group once.
  const Profile& show(std::size_t group) {
    part_.node_totals.assign(whole_.metrics.size(), std::vector<std::int64_t>(whole_.nodes.size()));
    for (const std::size_t thread : shown_) {
      part_.thread_cells[thread] = ThreadCells(whole_.metrics.size());
    }
    shown_ = threads_[group];
    for (const std::size_t thread : shown_) {
      part_.thread_cells[thread] = whole_.thread_cells[thread];
      add_to_totals(whole_.thread_cells[thread]);
    }
    part_.flat_values = std::move(flat_values_[group]);
    part_.line_values = std::move(line_values_[group]);
    return part_;
  }

 private:
  void add_to_totals(const ThreadCells& cells) {
    for (std::size_t metric = 0; metric < cells.size(); ++metric) {
      for (const Cell& cell : cells[metric]) {
        std::int64_t& total = part_.node_totals[metric][cell.node.row()];
        total = combined(whole_.metrics[metric].combine, total, cell.value);
      }
    }
  }

  const Profile& whole_;
  Profile part_;
  std::vector<std::vector<std::size_t>> threads_;  // by group
  std::vector<std::size_t> shown_;
  std::vector<std::vector<FlatValue>> flat_values_;
  std::vector<std::vector<LineValue>> line_values_;
};

}  // namespace

std::int64_t count_of_processes(const Profile& profile) {
  std::int64_t world = 0;
  std::set<std::int64_t> ranks;
  for (const Process& process : profile.processes) {
    world = std::max(world, process.world_size);
    if (process.rank >= 0) ranks.insert(process.rank);
  }
  if (world > 0) return world;
  return static_cast<std::int64_t>(ranks.empty() ? profile.processes.size() : ranks.size());
}

std::vector<CostTable> make_rank_costs(const Profile& profile, const CostSource& source) {
  std::size_t groups = 0;
  const std::vector<std::size_t> group = group_processes(profile, groups);
  std::vector<CostTable> tables;
  if (groups <= 1) {
    tables.push_back(make_cost_table(profile, source));
    return tables;
  }
  std::vector<std::size_t> group_of_thread;
  for (const Thread& thread : profile.threads)
    group_of_thread.push_back(group[thread.process.row()]);
  ProfileByGroup by_group(profile, group_of_thread, groups);
  for (std::size_t i = 0; i < groups; ++i) {
    tables.push_back(make_cost_table(by_group.show(i), source));
  }
  return tables;
}

}  // namespace pyrometer

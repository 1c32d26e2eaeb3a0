#include "analyze/rank_costs.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

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
  ProfileByGroup(Profile profile, const std::vector<std::size_t>& group_of_thread,
                 std::size_t groups)
      : profile_(std::move(profile)),
        threads_(groups),
        flat_values_(divide(profile_.flat_values, group_of_thread, groups)),
        line_values_(divide(profile_.line_values, group_of_thread, groups)) {
    for (std::size_t i = 0; i < profile_.thread_cells.size(); ++i) {
      threads_[group_of_thread[i]].push_back(i);
    }
  }

  const Profile& show(std::size_t group) {
    for (auto& totals : profile_.node_totals) std::fill(totals.begin(), totals.end(), 0);
    for (const std::size_t thread : threads_[group]) add_thread(profile_.thread_cells[thread]);
    profile_.flat_values = std::move(flat_values_[group]);
    profile_.line_values = std::move(line_values_[group]);
    return profile_;
  }

 private:
  void add_thread(const ThreadCells& cells) {
    for (std::size_t metric = 0; metric < cells.size(); ++metric) {
      for (const Cell& cell : cells[metric]) {
        std::int64_t& total = profile_.node_totals[metric][cell.node.row()];
        total = combined(profile_.metrics[metric].combine, total, cell.value);
      }
    }
  }

  Profile profile_;
  std::vector<std::vector<std::size_t>> threads_;
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

std::vector<CostTable> make_rank_costs(Profile profile, const CostSource& source) {
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
  ProfileByGroup by_group(std::move(profile), group_of_thread, groups);
  for (std::size_t i = 0; i < groups; ++i) {
    tables.push_back(make_cost_table(by_group.show(i), source));
  }
  return tables;
}

}  // namespace pyrometer

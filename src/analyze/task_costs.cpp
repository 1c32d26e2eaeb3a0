#include "analyze/task_costs.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>

#include "analyze/names.h"

namespace pyrometer {
namespace {

constexpr std::string_view kTask = "task ";
constexpr std::string_view kAwaits = "(awaits ";
constexpr std::string_view kReady = "(ready, ";

class TaskReader {
 public:
  explicit TaskReader(const Profile& profile) : profile_(profile) {}

  std::vector<TaskCost> read() {
    const Values tasks = values(metric::kTasks), waiting = values(metric::kAwait),
                 work = values(metric::kTaskWork), blocked = values(metric::kTaskBlocked),
                 step = values(metric::kTaskStep);
    if (tasks == nullptr) return {};
    find_roots();
    std::map<std::string_view, TaskCost> costs;
    for (std::size_t node = 0; node < profile_.nodes.size(); ++node) {
      if (!roots_[node]) continue;
      TaskCost& cost = costs[name_of(roots_[node]->row())];
      cost.tasks += at(tasks, node);
      cost.work += at(work, node);
      cost.blocked += at(blocked, node);
      if (const std::int64_t time = at(waiting, node); time > 0) add_wait(cost, node, time);
      if (const std::int64_t time = at(step, node); time > cost.longest) {
        cost.longest = time;
        cost.longest_at = place_of(way_to(node)).first;
      }
    }
    std::vector<TaskCost> rows;
    for (auto& [name, cost] : costs) {
      if (cost.tasks == 0 && cost.all() == 0) continue;
      cost.name = name.substr(kTask.size());
      std::stable_sort(cost.waits.begin(), cost.waits.end(),
                       [](const TaskWait& a, const TaskWait& b) { return a.time > b.time; });
      rows.push_back(std::move(cost));
    }
    std::stable_sort(rows.begin(), rows.end(),
                     [](const TaskCost& a, const TaskCost& b) { return a.all() > b.all(); });
    return rows;
  }

 private:
  using Values = const std::vector<std::int64_t>*;
  Values values(std::string_view name) const {
    const auto found = profile_.find_metric(name);
    return found ? &profile_.node_totals[found->row()] : nullptr;
  }
  static std::int64_t at(Values values, std::size_t node) {
    return values == nullptr ? 0 : (*values)[node];
  }

  const Function& function(std::size_t node) const {
    return profile_.functions[profile_.nodes[node].function.row()];
  }
  std::string_view name_of(std::size_t node) const { return profile_.text(function(node).name); }
  bool is_label(std::size_t node) const { return function(node).kind == FunctionKind::kLabel; }
  bool is_asyncio(std::size_t node) const {
    return profile_.text(function(node).short_file).starts_with("asyncio/");
  }

  void find_roots() {
    roots_.resize(profile_.nodes.size());
    for (std::size_t node = 0; node < profile_.nodes.size(); ++node) {
      const NodeId parent = profile_.nodes[node].parent;
      if (!parent.is_none()) {
        roots_[node] = roots_[parent.row()];
      } else if (is_label(node) && name_of(node).starts_with(kTask)) {
        roots_[node] = NodeId::from_index(node);
      }
    }
  }

  // The nodes below the task, from the top.
  std::vector<std::size_t> way_to(std::size_t node) const {
    std::vector<std::size_t> way;
    for (; node != roots_[node]->row(); node = profile_.nodes[node].parent.row()) {
      way.push_back(node);
    }
    std::reverse(way.begin(), way.end());
    return way;
  }

  // The last frame before asyncio's own, and the number of what comes after it.
  std::pair<TaskPlace, std::size_t> place_of(const std::vector<std::size_t>& way) const {
    std::size_t end = way.size();
    while (end > 0 && (is_label(way[end - 1]) || is_asyncio(way[end - 1]))) --end;
    if (end == 0) {  // a task of asyncio's own
      while (end < way.size() && !is_label(way[end])) ++end;
    }
    if (end == 0) return {};
    const Node& node = profile_.nodes[way[end - 1]];
    return {{node.function, node.line}, end};
  }

  void add_wait(TaskCost& cost, std::size_t node, std::int64_t time) {
    cost.waiting += time;
    const std::vector<std::size_t> way = way_to(node);
    const auto [place, next] = place_of(way);
    std::string awaited;
    if (is_label(node) && name_of(node).starts_with(kReady)) {
      cost.ready += time;
      awaited = "its turn";
    } else if (next < way.size()) {
      awaited = is_label(way[next]) ? awaited_words(name_of(way[next]))
                                    : std::string(display_name(profile_, function(way[next])));
    }
    const auto is_same = [&, at = place](const TaskWait& wait) {
      return wait.at.function == at.function && wait.at.line == at.line && wait.awaited == awaited;
    };
    const auto known = std::find_if(cost.waits.begin(), cost.waits.end(), is_same);
    if (known != cost.waits.end()) {
      known->time += time;
    } else {
      cost.waits.push_back({place, awaited, time});
    }
  }

  static std::string awaited_words(std::string_view label) {
    if (!label.starts_with(kAwaits) || !label.ends_with(')')) return std::string(label);
    return std::string(label.substr(kAwaits.size(), label.size() - kAwaits.size() - 1));
  }

  const Profile& profile_;
  std::vector<std::optional<NodeId>> roots_;  // by node: its task
};

}  // namespace

std::vector<TaskCost> make_task_costs(const Profile& profile) { return TaskReader(profile).read(); }

std::string task_place_words(const Profile& profile, const TaskPlace& place) {
  if (place.function.is_none()) return {};
  const Function& function = profile.functions[place.function.row()];
  return fmt::format("{} {}", display_name(profile, function),
                     display_place(profile, function, place.line));
}

}  // namespace pyrometer

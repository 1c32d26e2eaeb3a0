// Tasks of asyncio that hardly do anything but wait.
#include <fmt/format.h>

#include <algorithm>

#include "analyze/findings/findings.h"
#include "analyze/task_costs.h"
#include "base/format_value.h"

namespace pyrometer {
namespace {

constexpr double kDominates = 0.9;
constexpr std::int64_t kWorthSaying = 500'000'000;  // ns

}  // namespace

std::vector<Finding> find_waiting_tasks(const Overview& overview) {
  const Profile& profile = overview.profile;
  const std::vector<TaskCost> costs = make_task_costs(profile);
  std::int64_t waiting = 0;
  std::int64_t all = 0;
  const TaskCost* most = nullptr;
  for (const TaskCost& cost : costs) {
    waiting += cost.waiting;
    all += cost.all();
    if (cost.waits.empty()) continue;
    if (most == nullptr || cost.waits.front().time > most->waits.front().time) most = &cost;
  }
  const double share = all == 0 ? 0 : static_cast<double>(waiting) / static_cast<double>(all);
  if (most == nullptr || waiting < kWorthSaying || share < kDominates) return {};
  const TaskWait& wait = most->waits.front();
  const std::string place = task_place_words(profile, wait.at);
  return {{.kind = Finding::Kind::kHint,
           .id = "waiting-tasks",
           .sentence =
               fmt::format("Tasks of asyncio wait {:.0f} % of their time, longest {}{}{} ({}{}).",
                           100 * share, most->name, place.empty() ? "" : " in ", place,
                           format_value(Unit::kNanoseconds, wait.time),
                           wait.awaited.empty() ? "" : " for " + wait.awaited),
           .function = wait.at.function,
           .line = wait.at.line}};
}

}  // namespace pyrometer

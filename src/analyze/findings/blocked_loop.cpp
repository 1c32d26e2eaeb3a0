// A task of asyncio that keeps all others waiting.
#include <fmt/format.h>

#include "analyze/findings/findings.h"
#include "analyze/task_costs.h"
#include "base/format_value.h"

namespace pyrometer {
namespace {

constexpr std::int64_t kLong = 100'000'000;  // ns; asyncio's debug mode warns from here on

}  // namespace

std::vector<Finding> find_blocked_loop(const Overview& overview) {
  const Profile& profile = overview.profile;
  const std::vector<TaskCost> costs = make_task_costs(profile);
  const TaskCost* worst = nullptr;
  std::int64_t tasks = 0;
  for (const TaskCost& cost : costs) {
    tasks += cost.tasks;
    if (worst == nullptr || cost.longest > worst->longest) worst = &cost;
  }
  // Who is alone with a loop may keep it.
  if (worst == nullptr || worst->longest < kLong || tasks < 2) return {};
  const std::string place = task_place_words(profile, worst->longest_at);
  const bool works = worst->work >= worst->blocked;
  return {{.kind = Finding::Kind::kHint,
           .id = "blocked-loop",
           .sentence = fmt::format(
               "Task {} blocks the event loop for up to {}{}{}: no other task runs meanwhile; {}.",
               worst->name, format_value(Unit::kNanoseconds, worst->longest),
               place.empty() ? "" : " in ", place,
               works ? "hand such work to asyncio.to_thread or to processes"
                     : "await what it waits for, or hand the call to asyncio.to_thread"),
           .share = overview.share(worst->longest),
           .function = worst->longest_at.function,
           .line = worst->longest_at.line}};
}

}  // namespace pyrometer

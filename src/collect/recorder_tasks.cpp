// How tasks of asyncio are recorded: totals so far by place, of all threads together.
#include "collect/recorder.h"

namespace pyrometer {

std::string_view Recorder::qualified_name(std::uint32_t code) const {
  if (!knows_code(code)) return {};
  const auto known = codes_.find(records_of_codes_[code]);
  return known == codes_.end() ? std::string_view() : known->second.qualified_name;
}

void Recorder::task_totals(std::int64_t time,
                           const std::vector<std::pair<std::uint32_t, TaskTable::Values>>& rows) {
  if (task_metrics_.empty()) {
    const auto add = [&](const char* name, Unit unit, Combine combine) {
      task_metrics_.push_back({writer_.add_metric(name, unit, combine), 1});
    };
    add("tasks", Unit::kCount, Combine::kSum);
    add("await", Unit::kNanoseconds, Combine::kSum);
    add("task-work", Unit::kNanoseconds, Combine::kSum);
    add("task-blocked", Unit::kNanoseconds, Combine::kSum);
    add("task-step", Unit::kNanoseconds, Combine::kMax);
  }
  write_new_nodes();
  RowWriter written(checkpoint_columns(CheckpointSubject::kNode, task_metrics_));
  for (const auto& [node, values] : rows) {
    written.row({node, values.tasks, values.waiting, values.work, values.blocked, values.longest});
  }
  constexpr std::uint32_t kMainThread = 0;
  writer_.checkpoint(time, kMainThread, CheckpointSubject::kNode, task_metrics_, written);
}

}  // namespace pyrometer

// Tasks of asyncio: how long they work, and where they wait.
#include "analyze/task_costs.h"
#include "base/format_value.h"
#include "report/sections.h"

namespace pyrometer {
namespace {

std::string time_words(std::int64_t value) { return format_value(Unit::kNanoseconds, value); }

// "3.1 s sleep in fetch app.py:12"
std::string wait_words(const Profile& profile, const TaskCost& cost) {
  if (cost.waits.empty()) return {};
  const TaskWait& wait = cost.waits.front();
  const std::string place = task_place_words(profile, wait.at);
  return fmt::format("{}{}{}{}{}", time_words(wait.time), wait.awaited.empty() ? "" : " for ",
                     wait.awaited, place.empty() ? "" : " in ", place);
}

}  // namespace

std::string tasks_section(const Overview& overview, const ReportOptions& options,
                          const Style& style) {
  const Profile& profile = overview.profile;
  std::vector<TaskCost> rows = make_task_costs(profile);
  const std::size_t all = rows.size();
  if (all == 0) {
    return "There are no tasks; they are seen where a program that runs asyncio is sampled.\n";
  }
  limit_rows(rows, options.selection);
  TextTable table({{"tasks"},
                   {"work"},
                   {"blocked"},
                   {"waiting"},
                   {"longest step"},
                   {"task", TextTable::Align::kLeft},
                   {"waits most", TextTable::Align::kLeft}});
  for (const TaskCost& row : rows) {
    table.add_row({format_count(row.tasks), time_words(row.work), time_words(row.blocked),
                   time_words(row.waiting), time_words(row.longest), row.name,
                   wait_words(profile, row)});
  }
  return table.render(style) + more_rows(all, rows.size(), style);
}

}  // namespace pyrometer

#include "analyze/thread_table.h"
#include "base/format_value.h"
#include "report/process_words.h"
#include "report/sections.h"
#include "report/small_rows.h"

namespace pyrometer {

std::string threads_section(const Overview& overview, const ReportOptions& options,
                            const Style& style) {
  const Profile& profile = overview.profile;
  const Unit unit = profile.metrics[overview.metric.row()].unit;
  std::vector<ThreadCost> threads = make_thread_table(profile, overview.metric);
  drop_small_rows(threads, overview, options, [](const ThreadCost& cost) { return cost.value; });
  const std::size_t all = threads.size();
  limit_rows(threads, options.selection);
  TextTable table({{profile.metrics[overview.metric.row()].name},
                   {"%"},
                   {"class", TextTable::Align::kLeft},
                   {"thread", TextTable::Align::kLeft},
                   {"tid"},
                   {"process", TextTable::Align::kLeft}});
  for (const ThreadCost& cost : threads) {
    const Thread& thread = profile.threads[cost.thread.row()];
    table.add_row({format_value(unit, cost.value), format_percent(overview.share(cost.value)),
                   std::string(name_of(thread.thread_class)),
                   std::string(profile.text(thread.name)),
                   thread.tid == 0 ? "" : fmt::format("{}", thread.tid),
                   process_words(profile.processes[thread.process.row()])});
  }
  return table.render(style) + more_rows(all, threads.size(), style);
}

}  // namespace pyrometer

#include <set>

#include "base/format_value.h"
#include "report/sections.h"

namespace pyrometer {

std::string summary_section(const Overview& overview, const Style& style) {
  const Profile& profile = overview.profile;
  const Metric& metric = profile.metrics[overview.metric.row()];
  std::set<std::int64_t> ranks;
  for (const Process& process : profile.processes) {
    if (process.rank >= 0) ranks.insert(process.rank);
  }
  std::string line = fmt::format("{} {}", format_value(metric.unit, overview.total), metric.name);
  // Memory over time has no sum.
  if (overview.graph.functions.empty() && overview.lines.empty() && !profile.counters.empty()) {
    line = metric.name;
  }
  if (overview.wall > 0 && metric.unit != Unit::kNanoseconds) {
    line += fmt::format(" in {}", format_value(Unit::kNanoseconds, overview.wall));
  }
  line += "   " + format_plural(profile.processes.size(), "process", "processes");
  if (!ranks.empty()) line += ", " + format_plural(ranks.size(), "rank", "ranks");
  if (profile.threads.size() > profile.processes.size()) {
    line += ", " + format_plural(profile.threads.size(), "thread", "threads");
  }
  if (overview.samples > 0) {
    line += ", " + format_plural(static_cast<std::size_t>(overview.samples), "sample", "samples");
  }
  line += ", " + format_plural(overview.graph.functions.size(), "function", "functions");
  return style.bold("pyrometer") + "  " + line + "\n";
}

}  // namespace pyrometer

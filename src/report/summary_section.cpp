#include <set>

#include "analyze/origin.h"
#include "analyze/thread_count.h"
#include "base/format_value.h"
#include "report/sections.h"

namespace pyrometer {
namespace {

constexpr double kWorthNaming = 0.0005;  // less is printed as 0.0 %

// "own code 41.0 %, packages 52.3 %, ..."; nothing where all code is of one kind.
std::string origin_line(const Overview& overview) {
  std::string line;
  const std::vector<OriginCost> origins = make_origin_table(overview);
  if (origins.size() < 2) return {};
  for (const OriginCost& cost : origins) {
    const double share = overview.share(cost.self);
    if (share < kWorthNaming) continue;
    line += fmt::format("{}{} {}", line.empty() ? "           " : ", ", name_of(cost.origin),
                        format_percent(share));
  }
  return line.empty() ? line : line + "\n";
}

// Where only lines were measured, those that they are in; memory over time has none.
std::string function_words(const Overview& overview) {
  std::size_t count = overview.graph.functions.size();
  if (count == 0) {
    std::set<FunctionId> functions;
    for (const LineCost& line : overview.lines) functions.insert(line.function);
    count = functions.size();
  }
  const bool has_none = count == 0 && !overview.profile.counters.empty();
  return has_none ? "" : ", " + format_plural(count, "function", "functions");
}

}  // namespace

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
  if (overview.paused > 0) {
    line += fmt::format(", paused for {}", format_value(Unit::kNanoseconds, overview.paused));
  }
  line += "   " + format_plural(profile.processes.size(), "process", "processes");
  if (!ranks.empty()) line += ", " + format_plural(ranks.size(), "rank", "ranks");
  const std::size_t threads = count_threads(profile);
  if (threads > profile.processes.size()) {
    line += ", " + format_plural(threads, "thread", "threads");
  }
  if (overview.samples > 0) {
    line += ", " + format_plural(static_cast<std::size_t>(overview.samples), "sample", "samples");
  }
  line += function_words(overview);
  return style.bold("pyrometer") + "  " + line + "\n" + origin_line(overview);
}

}  // namespace pyrometer

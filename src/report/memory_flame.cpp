// Functions over time as a flame: callees stand on their callers.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "report/memory_bars.h"
#include "report/process_words.h"

namespace pyrometer {
namespace {

constexpr double kHighestRow = 16, kLowestRow = 3;
constexpr double kUsualHeight = 240;   // rows get lower where there are many
constexpr std::size_t kMostRows = 80;  // those at their lowest
using Lanes = std::map<ThreadId, std::vector<MemoryBar>>;

// The lowest free row from its depth up: nothing is covered, neither calls that overlap, as those
// of coroutines do, nor those of old files, which do not tell depths. Gives the number of rows.
std::size_t stack_bars(std::vector<MemoryBar>& lane) {
  std::sort(lane.begin(), lane.end(), [](const MemoryBar& a, const MemoryBar& b) {
    return std::tuple(a.from, b.to, a.row, a.name) < std::tuple(b.from, a.to, b.row, b.name);
  });
  std::vector<std::int64_t> busy_until;
  for (MemoryBar& bar : lane) {
    while (bar.row < busy_until.size() && busy_until[bar.row] > bar.from) ++bar.row;
    if (bar.row >= kMostRows) continue;
    if (bar.row >= busy_until.size()) busy_until.resize(bar.row + 1, bar.from);
    busy_until[bar.row] = bar.to;
  }
  return busy_until.size();
}

std::string name_of_lane(const Profile& profile, const Lanes& lanes, ThreadId thread) {
  const Thread& its = profile.threads[thread.row()];
  const bool is_alone = std::none_of(lanes.begin(), lanes.end(), [&](const auto& lane) {
    return lane.first != thread && profile.threads[lane.first.row()].process == its.process;
  });
  const std::string process = short_process_words(profile.processes[its.process.row()]);
  return is_alone ? process : fmt::format("{}, {}", process, profile.text(its.name));
}

}  // namespace

MemoryBars bars_by_nesting(const Profile& profile, const MemoryWindow& shown) {
  Lanes lanes;
  for (const MemoryBar& bar : find_bars(profile, shown)) lanes[bar.thread].push_back(bar);
  MemoryBars flame{.has_names_inside = true};
  std::size_t drawn = 0;
  bool is_cut = false;
  for (auto& [thread, lane] : lanes) {
    const std::size_t base = flame.labels.size();
    const std::size_t rows = stack_bars(lane);
    if (base + rows > kMostRows) break;
    ++drawn;
    flame.labels.resize(base + rows);
    if (lanes.size() > 1) flame.labels[base] = name_of_lane(profile, lanes, thread);
    for (MemoryBar bar : lane) {
      is_cut = is_cut || bar.row >= kMostRows;
      if (bar.row >= kMostRows) continue;
      bar.row += base;
      flame.bars.push_back(bar);
    }
  }
  if (drawn < lanes.size()) {
    flame.left_out = fmt::format("functions of {} of {} threads", drawn, lanes.size());
  } else if (is_cut) {
    flame.left_out = fmt::format("functions to a depth of {}", kMostRows);
  }
  const auto rows = static_cast<double>(std::max<std::size_t>(1, flame.labels.size()));
  flame.row_height = std::clamp(kUsualHeight / rows, kLowestRow, kHighestRow);
  keep_longest(flame.bars);
  return flame;
}

}  // namespace pyrometer

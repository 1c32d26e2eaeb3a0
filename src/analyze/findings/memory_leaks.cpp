// Lines whose memory keeps growing to the end.
#include <fmt/format.h>

#include "analyze/findings/findings.h"
#include "analyze/memory/live_memory.h"
#include "analyze/memory/memory_clock.h"
#include "analyze/memory/memory_words.h"
#include "base/format_value.h"

namespace pyrometer {
namespace {

constexpr std::size_t kMost = 3;
constexpr double kWorthSaying = 0.01;  // of what is live

}  // namespace

std::vector<Finding> find_memory_leaks(const Overview& overview) {
  const Profile& profile = overview.profile;
  if (profile.live_tracks.empty()) return {};
  const std::vector<GrowingMemory> growing = find_growth(profile);
  std::int64_t live = 0;
  for (const LiveMemory& each : live_at(profile, MemoryClock(profile).duration())) {
    live += each.bytes;
  }
  std::vector<Finding> findings;
  for (const GrowingMemory& each : growing) {
    if (findings.size() == kMost) break;
    if (static_cast<double>(each.growth) < kWorthSaying * static_cast<double>(live)) continue;
    const std::string place = place_words(profile, each.place);
    findings.push_back(
        {Finding::Kind::kHint, "memory-leak",
         fmt::format("Memory of {} keeps growing, by {}/s to {} at the end{}: who should let it "
                     "go?",
                     place, format_value(Unit::kBytes, static_cast<std::int64_t>(each.rate)),
                     format_value(Unit::kBytes, each.live),
                     each.processes == 1
                         ? ""
                         : ", in " + format_plural(each.processes, "process", "processes")),
         0, each.place.function, each.place.line,
         fmt::format("{} more in the second half", format_value(Unit::kBytes, each.growth))});
  }
  return findings;
}

}  // namespace pyrometer

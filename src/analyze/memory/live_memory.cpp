#include "analyze/memory/live_memory.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "analyze/memory/live_points.h"
#include "analyze/memory/memory_clock.h"
#include "analyze/ranks/rank_list.h"

namespace pyrometer {
namespace {

constexpr std::int64_t kLeastGrowth = std::int64_t{1} << 20;
constexpr double kDeviations = 2;
constexpr std::int64_t kParts = 4;  // of the second half

// The least from `begin` on, before `end`.
std::int64_t least_between(const TimedValues& points, std::int64_t begin, std::int64_t end) {
  std::int64_t least = value_at(points, begin);
  auto point = std::upper_bound(points.begin(), points.end(), begin,
                                [](std::int64_t at, const auto& next) { return at < next.first; });
  for (; point != points.end() && point->first < end; ++point) {
    least = std::min(least, point->second);
  }
  return least;
}

// How far estimates of so many live bytes are off by chance, as far as it matters.
double noise_of(const Process& process, std::int64_t live) {
  if (attribute(process, memory_attribute::kMode) != "sampled") return 0;
  const auto between =
      static_cast<double>(number_attribute(process, memory_attribute::kSampleBytes, 1 << 19));
  return kDeviations * std::sqrt(static_cast<double>(live) * std::max(0.0, between));
}

// None where it did not grow all the time.
std::optional<GrowingMemory> growth_of(const Process& process, std::int64_t end,
                                       const TimedValues& points) {
  const std::int64_t middle = process.clock + (end - process.clock) / 2;
  const std::int64_t length = end - middle;
  if (length < kParts) return std::nullopt;
  const auto begin_of = [&](std::int64_t part) { return middle + length / kParts * part; };
  // Lowest points, as what is emptied now and then does not grow.
  const std::int64_t first = least_between(points, begin_of(0), begin_of(1));
  std::int64_t before = first;
  for (std::int64_t part = 1; part < kParts; ++part) {
    const std::int64_t stop = part + 1 == kParts ? end + 1 : begin_of(part + 1);
    const std::int64_t least = least_between(points, begin_of(part), stop);
    if (least <= before) return std::nullopt;
    before = least;
  }
  const std::int64_t live = value_at(points, end);
  const std::int64_t growth = live - first;
  if (growth < kLeastGrowth || static_cast<double>(growth) < noise_of(process, live)) {
    return std::nullopt;
  }
  return GrowingMemory{.live = live,
                       .growth = growth,
                       .rate = static_cast<double>(growth) * 1e9 / static_cast<double>(length),
                       .processes = 1};
}

}  // namespace

std::vector<LiveMemory> live_at(const Profile& profile, std::int64_t time) {
  const MemoryClock clock(profile);
  time = std::min(time, clock.duration());
  std::map<MemoryPlace, std::int64_t> sums;
  for (const auto& [process, live] : live_by_process(profile)) {
    const std::int64_t own_time = clock.own_time(process, time);
    if (own_time > end_of(profile.processes[process.row()], live)) continue;
    for (const auto& [place, points] : live.places) sums[place] += value_at(points, own_time);
  }
  std::vector<LiveMemory> rows;
  for (const auto& [place, bytes] : sums) {
    if (bytes > 0) rows.push_back({place, bytes});
  }
  std::stable_sort(rows.begin(), rows.end(),
                   [](const auto& a, const auto& b) { return a.bytes > b.bytes; });
  return rows;
}

std::vector<GrowingMemory> find_growth(const Profile& profile) {
  std::map<MemoryPlace, GrowingMemory> sums;
  for (const auto& [id, live] : live_by_process(profile)) {
    const Process& process = profile.processes[id.row()];
    for (const auto& [place, points] : live.places) {
      const auto growing = growth_of(process, live.end, points);
      if (!growing) continue;
      GrowingMemory& sum = sums[place];
      sum.place = place;
      sum.live += growing->live;
      sum.growth += growing->growth;
      sum.rate += growing->rate;
      ++sum.processes;
    }
  }
  std::vector<GrowingMemory> rows;
  for (const auto& [place, growing] : sums) rows.push_back(growing);
  std::stable_sort(rows.begin(), rows.end(), [](const GrowingMemory& a, const GrowingMemory& b) {
    return a.rate != b.rate ? a.rate > b.rate : a.live > b.live;
  });
  return rows;
}

}  // namespace pyrometer

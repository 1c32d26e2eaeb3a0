#include "analyze/memory/live_history.h"

#include <algorithm>

#include "analyze/memory/live_points.h"
#include "analyze/memory/memory_clock.h"

namespace pyrometer {
namespace {

using LiveProcesses = std::map<ProcessId, ProcessLive>;

std::vector<std::int64_t> moments_of(const Profile& profile, const LiveProcesses& live,
                                     const MemoryClock& clock) {
  std::vector<std::int64_t> moments;
  for (const auto& [process, its] : live) {
    for (const auto& [place, points] : its.places) {
      for (const auto& [time, bytes] : points) moments.push_back(clock.common_time(process, time));
    }
    const std::int64_t over =
        clock.common_time(process, end_of(profile.processes[process.row()], its)) + 1;
    if (over < clock.duration()) moments.push_back(over);
  }
  std::sort(moments.begin(), moments.end());
  moments.erase(std::unique(moments.begin(), moments.end()), moments.end());
  return moments;
}

// The last one stays, as it is the end.
void thin_moments(std::vector<std::int64_t>& moments, std::size_t most) {
  if (moments.size() <= most) return;
  std::vector<std::int64_t> kept;
  for (std::size_t i = 1; i <= most; ++i) kept.push_back(moments[i * moments.size() / most - 1]);
  moments = std::move(kept);
}

// Adds what one place of one process had at each moment, until the process is over.
void add_points(const TimedValues& points, const std::vector<std::int64_t>& own_moments,
                std::int64_t end, std::vector<std::int64_t>& sums) {
  auto next = points.begin();
  std::int64_t bytes = 0;
  for (std::size_t i = 0; i < own_moments.size() && own_moments[i] <= end; ++i) {
    for (; next != points.end() && next->first <= own_moments[i]; ++next) bytes = next->second;
    sums[i] += bytes;
  }
}

}  // namespace

LiveHistory live_history(const Profile& profile, std::size_t most_moments,
                         std::size_t most_tracks) {
  const MemoryClock clock(profile);
  const LiveProcesses live = live_by_process(profile);
  LiveHistory history{.moments = moments_of(profile, live, clock)};
  thin_moments(history.moments, most_moments);
  std::map<MemoryPlace, std::vector<std::int64_t>> sums;
  for (const auto& [process, its] : live) {
    std::vector<std::int64_t> own_moments;
    for (const std::int64_t moment : history.moments) {
      own_moments.push_back(clock.own_time(process, moment));
    }
    const std::int64_t end = end_of(profile.processes[process.row()], its);
    for (const auto& [place, points] : its.places) {
      std::vector<std::int64_t>& sum = sums[place];
      sum.resize(own_moments.size());
      add_points(points, own_moments, end, sum);
    }
  }
  std::vector<std::pair<std::int64_t, LiveHistory::Track>> order;  // by the most, the largest first
  for (auto& [place, bytes] : sums) {
    const std::int64_t most = *std::max_element(bytes.begin(), bytes.end());
    if (most > 0) order.emplace_back(-most, LiveHistory::Track{place, std::move(bytes)});
  }
  std::stable_sort(order.begin(), order.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  history.tracks_left_out = order.size() - std::min(most_tracks, order.size());
  order.resize(order.size() - history.tracks_left_out);
  for (auto& [most, track] : order) history.tracks.push_back(std::move(track));
  return history;
}

}  // namespace pyrometer

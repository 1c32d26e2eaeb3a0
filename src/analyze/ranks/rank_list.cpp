#include "analyze/ranks/rank_list.h"

#include <algorithm>
#include <charconv>
#include <map>

#include "analyze/ranks/useful_time.h"

namespace pyrometer {
namespace {

constexpr double kMuchWaitingForCores = 0.10;

// The values of a process by the names of their metrics; none is below zero.
class ProcessTimes {
 public:
  explicit ProcessTimes(const Profile& profile)
      : profile_(profile), useful_(find_useful_time(profile)) {}

  std::int64_t of(std::size_t process, std::optional<MetricId> metric) const {
    if (!metric || process >= profile_.process_totals.size()) return 0;
    return std::max<std::int64_t>(0, profile_.process_totals[process][metric->row()]);
  }
  std::int64_t of(std::size_t process, std::string_view metric) const {
    return of(process, profile_.find_metric(metric));
  }
  std::int64_t useful(std::size_t process) const {
    return std::max<std::int64_t>(0, of(process, useful_.time) - of(process, useful_.without));
  }
  std::int64_t mpi(std::size_t process) const {
    const std::int64_t by_the_clock = of(process, metric::kMpiTime);
    return by_the_clock != 0 ? by_the_clock : of(process, metric::kMpi);
  }

 private:
  const Profile& profile_;
  UsefulTime useful_;
};

// Children start after their parent.
bool is_before(const Process& a, const Process& b) {
  return a.start != b.start ? a.start < b.start : a.pid < b.pid;
}

void add_process(JobRank& rank, const ProcessTimes& times, std::size_t process) {
  ++rank.processes;
  rank.useful += times.useful(process);
  rank.mpi += times.mpi(process);
  rank.mpi_wait += times.of(process, metric::kMpiWait);
  rank.io += times.of(process, metric::kIo);
  rank.sleep += times.of(process, metric::kSleep);
  rank.runnable += times.of(process, metric::kRunnable);
  rank.thread_wall += times.of(process, metric::kWall);
  rank.samples += times.of(process, metric::kSamples);
}

void add_ranks(const Profile& profile, RankList& list) {
  std::map<std::int64_t, std::vector<std::size_t>> processes;
  for (std::size_t i = 0; i < profile.processes.size(); ++i) {
    const Process& process = profile.processes[i];
    list.world_size = std::max(list.world_size, process.world_size);
    if (process.rank >= 0) processes[process.rank].push_back(i);
  }
  list.of_process.assign(profile.processes.size(), RankList::kNoRank);
  const ProcessTimes times(profile);
  for (const auto& [number, rows] : processes) {
    JobRank rank{.number = number};
    const std::size_t first = *std::min_element(rows.begin(), rows.end(), [&](auto a, auto b) {
      return is_before(profile.processes[a], profile.processes[b]);
    });
    rank.process = ProcessId::from_index(first);
    rank.wall = std::max<std::int64_t>(0, profile.processes[first].duration);
    for (const std::size_t row : rows) {
      list.of_process[row] = static_cast<std::uint32_t>(list.ranks.size());
      add_process(rank, times, row);
    }
    list.ranks.push_back(rank);
  }
}

void add_hosts(const Profile& profile, RankList& list) {
  std::map<std::string_view, std::uint32_t> rows;
  for (const JobRank& rank : list.ranks) rows[profile.processes[rank.process.row()].host];
  for (auto& [name, row] : rows) {
    row = static_cast<std::uint32_t>(list.hosts.size());
    list.hosts.push_back({.name = std::string(name)});
  }
  for (JobRank& rank : list.ranks) {
    const Process& process = profile.processes[rank.process.row()];
    rank.host = rows[process.host];
    RankHost& host = list.hosts[rank.host];
    ++host.ranks;
    host.cores = std::max(host.cores, number_attribute(process, "cores.host", 0));
  }
}

void add_sums(RankList& list) {
  double runnable = 0;
  double all = 0;
  for (const JobRank& rank : list.ranks) {
    list.wall = std::max(list.wall, rank.wall);
    list.busiest = std::max(list.busiest, rank.useful);
    list.useful += rank.useful;
    list.mpi += rank.mpi;
    list.mpi_wait += rank.mpi_wait;
    runnable += static_cast<double>(rank.runnable);
    all += static_cast<double>(rank.thread_wall);
  }
  list.runnable_share = all > 0 ? runnable / all : 0;
}

void find_sharing(RankList& list) {
  if (list.runnable_share > kMuchWaitingForCores) list.sharing = CoreSharing::kWaitedForCores;
  for (std::size_t i = 0; i < list.hosts.size(); ++i) {
    const RankHost& host = list.hosts[i];
    if (host.cores <= 0 || static_cast<std::int64_t>(host.ranks) <= host.cores) continue;
    list.sharing = CoreSharing::kTooManyRanks;
    list.crowded_host = static_cast<std::uint32_t>(i);
    return;
  }
}

}  // namespace

RankList make_rank_list(const Profile& profile) {
  RankList list{.is_sampled = profile.is_sampled};
  add_ranks(profile, list);
  add_hosts(profile, list);
  add_sums(list);
  find_sharing(list);
  return list;
}

std::string attribute(const Process& process, std::string_view key) {
  std::string found;
  for (const auto& [name, value] : process.attributes) {
    if (name == key) found = value;
  }
  return found;
}

std::string mpi_library_words(const Process& process) {
  const std::string all = attribute(process, "mpi.library");
  return all.substr(0, all.find(','));
}

std::int64_t number_attribute(const Process& process, std::string_view key, std::int64_t missing) {
  const std::string text = attribute(process, key);
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() ? number : missing;
}

}  // namespace pyrometer

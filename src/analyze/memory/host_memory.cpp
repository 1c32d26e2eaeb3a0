#include "analyze/memory/host_memory.h"

#include <algorithm>
#include <map>
#include <set>

namespace pyrometer {
namespace {

constexpr double kAboutAll = 0.9;  // pages that processes share count once in a cgroup

using Processes = std::vector<const ProcessMemory*>;

std::optional<MemoryPeak> resident_together(const Processes& processes,
                                            const std::vector<MemorySeries>& series) {
  std::vector<MemorySeries> theirs;
  for (const ProcessMemory* memory : processes) {
    const MemorySeries* found = find_series(series, memory->process, MemorySeries::Kind::kResident);
    if (found != nullptr) theirs.push_back(*found);
  }
  if (theirs.empty()) return std::nullopt;
  const MemorySeries together = series_together(theirs, MemorySeries::Kind::kResident);
  return highest_of(&together);
}

// The limit of a cgroup that all of them are in.
std::optional<std::int64_t> shared_limit(const Processes& processes, std::int64_t together) {
  const auto limit = processes.front()->limit;
  if (processes.size() == 1) return limit;
  const bool is_shared =
      std::all_of(processes.begin(), processes.end(), [&](const ProcessMemory* memory) {
        return memory->limit == limit && memory->cgroup_peak &&
               static_cast<double>(*memory->cgroup_peak) >=
                   kAboutAll * static_cast<double>(together);
      });
  return is_shared ? limit : std::nullopt;
}

std::size_t ranks_in(const Profile& profile, const Processes& processes) {
  std::set<std::int64_t> ranks;
  for (const ProcessMemory* memory : processes) {
    ranks.insert(profile.processes[memory->process.row()].rank);
  }
  ranks.erase(-1);
  return ranks.size();
}

std::optional<std::int64_t> physical_of(const Processes& processes) {
  std::optional<std::int64_t> least;
  for (const ProcessMemory* memory : processes) {
    if (memory->physical && (!least || *memory->physical < *least)) least = memory->physical;
  }
  return least;
}

}  // namespace

std::vector<HostMemory> memory_of_hosts(const Profile& profile, const MemoryFacts& facts,
                                        const std::vector<MemorySeries>& series) {
  std::map<std::string, Processes> by_name;
  for (const ProcessMemory& memory : facts.processes) {
    by_name[profile.processes[memory.process.row()].host].push_back(&memory);
  }
  std::vector<HostMemory> hosts;
  for (const auto& [name, processes] : by_name) {
    HostMemory host{.name = name,
                    .processes = processes.size(),
                    .ranks = ranks_in(profile, processes),
                    .resident = resident_together(processes, series),
                    .available = physical_of(processes)};
    const auto limit = host.resident ? shared_limit(processes, host.resident->bytes) : std::nullopt;
    host.is_limit = limit && (!host.available || *limit < *host.available);
    if (host.is_limit) host.available = limit;
    hosts.push_back(std::move(host));
  }
  return hosts;
}

}  // namespace pyrometer

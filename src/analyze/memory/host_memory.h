// What the processes of one machine have together, beside what there is to be had.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analyze/memory/memory_facts.h"
#include "analyze/memory/memory_series.h"

namespace pyrometer {

struct HostMemory {
  std::string name;
  std::size_t processes = 0;
  std::size_t ranks = 0;
  std::optional<MemoryPeak> resident;     // the most at one moment, by counters
  std::optional<std::int64_t> available;  // the limit that all share, or the machine's
  bool is_limit = false;

  std::optional<double> share() const {
    if (!resident || !available || *available <= 0) return std::nullopt;
    return static_cast<double>(resident->bytes) / static_cast<double>(*available);
  }
};

// By name. Pages that forked processes share count in each of them. A limit is shared where its
// cgroup had as much as all of them together; otherwise each has its own, and only the machine is
// common to all.
std::vector<HostMemory> memory_of_hosts(const Profile& profile, const MemoryFacts& facts,
                                        const std::vector<MemorySeries>& series);

}  // namespace pyrometer

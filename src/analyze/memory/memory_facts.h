// What a profile says about memory as a whole, and of each of its processes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analyze/memory/memory_figures.h"
#include "analyze/memory/memory_series.h"

namespace pyrometer {

struct ProcessMemory {
  ProcessId process;
  std::optional<MemoryPeak> heap;
  std::optional<MemoryPeak> resident;
  std::optional<std::int64_t> limit;        // bytes of the tightest cgroup
  std::optional<std::int64_t> cgroup_peak;  // bytes that all in it had together
  std::optional<std::int64_t> physical;     // bytes of the machine
  MemoryFigures figures;

  // What of it there is to be had: the limit, or the machine's.
  std::optional<std::int64_t> available() const {
    return limit && (!physical || *limit < *physical) ? limit : physical;
  }
  // How much of that was resident; nothing where either is unknown.
  std::optional<double> share_of_available() const;
  // The most that it had, by the best that is known.
  std::int64_t height() const;
};

// Allocations of 2^(bits - 1) bytes up to twice that; bits 0: of nothing.
struct AllocationSizes {
  std::uint32_t bits = 0;
  std::int64_t count = 0;
};

struct MemoryFacts {
  std::string mode;                      // of all processes; empty: unknown, or not the same
  std::vector<ProcessMemory> processes;  // that say anything about their memory
  MemoryFigures figures;                 // of all; peaks of processes are added up
  std::vector<AllocationSizes> sizes;    // by size
  std::int64_t duration = 0;             // ns, from the first beginning to the last end
  // The most at one moment over all processes, by counters; nothing for a single process.
  std::optional<MemoryPeak> heap_together, resident_together;

  bool is_sampled() const { return mode == "sampled"; }
};

MemoryFacts make_memory_facts(const Profile& profile);

}  // namespace pyrometer

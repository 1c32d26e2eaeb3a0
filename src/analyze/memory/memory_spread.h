// How memory is spread over the ranks of a job, or over processes where there are no ranks.
#pragma once

#include <vector>

#include "analyze/memory/memory_facts.h"
#include "analyze/ranks/across_ranks.h"

namespace pyrometer {

// Processes without a figure take no part in it.
struct MemorySpread {
  bool is_of_ranks = false;
  std::vector<ProcessId> processes;  // of each rank the one that had most
  AcrossRanks heap, resident, live;  // peaks and what is left, by rows of `processes`

  // What the most is told by: the heap, which is exact, where it is known.
  const AcrossRanks& peak() const { return heap.is_empty() ? resident : heap; }
};

MemorySpread spread_of_memory(const Profile& profile, const MemoryFacts& facts);

}  // namespace pyrometer

#include "analyze/memory/memory_spread.h"

#include <algorithm>
#include <map>

namespace pyrometer {
namespace {

// Where there are ranks, processes without one only started them.
std::vector<const ProcessMemory*> compared(const Profile& profile, const MemoryFacts& facts,
                                           bool is_of_ranks) {
  std::vector<const ProcessMemory*> all;
  std::map<std::int64_t, std::size_t> places;  // by rank
  for (const ProcessMemory& memory : facts.processes) {
    const std::int64_t rank = profile.processes[memory.process.row()].rank;
    if (is_of_ranks && rank < 0) continue;
    const auto place =
        is_of_ranks ? places.try_emplace(rank, all.size()).first->second : all.size();
    if (place == all.size()) {
      all.push_back(&memory);
    } else if (memory.height() > all[place]->height()) {
      all[place] = &memory;
    }
  }
  return all;
}

void add(AcrossRanks& across, std::size_t row, std::int64_t bytes) {
  if (bytes > 0) across.add(static_cast<std::uint32_t>(row), bytes, 0);
}

}  // namespace

MemorySpread spread_of_memory(const Profile& profile, const MemoryFacts& facts) {
  MemorySpread spread;
  spread.is_of_ranks =
      std::any_of(facts.processes.begin(), facts.processes.end(), [&](const ProcessMemory& memory) {
        return profile.processes[memory.process.row()].rank >= 0;
      });
  for (const ProcessMemory* memory : compared(profile, facts, spread.is_of_ranks)) {
    const std::size_t row = spread.processes.size();
    spread.processes.push_back(memory->process);
    if (memory->heap) add(spread.heap, row, memory->heap->bytes);
    if (memory->resident) add(spread.resident, row, memory->resident->bytes);
    add(spread.live, row, memory->figures.live);
  }
  return spread;
}

}  // namespace pyrometer

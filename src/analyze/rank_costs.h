// What functions or lines cost each rank of a run by itself: a run is as slow as its slowest.
#pragma once

#include <cstdint>
#include <vector>

#include "analyze/cost_table.h"

namespace pyrometer {

// How many processes the program ran with: the size of its MPI world, else its ranks, else the
// processes that were recorded.
std::int64_t count_of_processes(const Profile& profile);

// A table per rank, children included; per process where there are no ranks. The profile must
// have been loaded with its values.
std::vector<CostTable> make_rank_costs(const Profile& profile, const CostSource& source);

}  // namespace pyrometer

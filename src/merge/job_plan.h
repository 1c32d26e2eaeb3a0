// What all members of a team agree on before values are written: the structure of the whole job in
// its final order, its processes, and who has the values of each.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/result.h"
#include "merge/shard.h"
#include "merge/team.h"
#include "store/merged_tables.h"

namespace pyrometer {

// Where a process was read: by which member, and as which of all that are in its shards.
struct ProcessPlace {
  std::uint32_t member = 0;
  std::uint32_t number = 0;
};

struct JobPlan {
  MergedTables tables;
  std::vector<ProcessPlace> places;  // by process
};

// The same for every member, and the same whatever the team; facts of the shards' processes are
// used up.
Result<JobPlan> agree_on_plan(std::span<Shard> shards, Team& team);

}  // namespace pyrometer

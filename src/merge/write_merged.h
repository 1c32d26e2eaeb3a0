// The second pass of a merge: shards become one file. What comes out depends on what went
// into the shards together, not on how it was spread over them.
#pragma once

#include <cstdint>
#include <span>

#include "base/file.h"
#include "base/progress.h"
#include "base/result.h"
#include "merge/analysis.h"
#include "merge/shard.h"
#include "merge/team.h"

namespace pyrometer {

struct MergedCounts {
  std::uint64_t processes = 0;
  std::uint64_t functions = 0;
  std::uint64_t nodes = 0;
};

struct WriteOptions {
  Progress progress;
  MergeAnalyses analyses;
  unsigned workers = 0;  // 0: as many as there are cores
};

// Uses the shards up. All members of the team call it; the first one writes.
Result<MergedCounts> write_merged(std::span<Shard> shards, const Path& output,
                                  const WriteOptions& options, Team& team);
Result<MergedCounts> write_merged(std::span<Shard> shards, const Path& output,
                                  const WriteOptions& options);

}  // namespace pyrometer

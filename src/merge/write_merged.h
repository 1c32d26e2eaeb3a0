// The second pass of a merge: shards become one file. What comes out depends on what went
// into the shards together, not on how it was spread over them.
#pragma once

#include <cstdint>
#include <span>

#include "base/file.h"
#include "base/progress.h"
#include "base/result.h"
#include "merge/shard.h"

namespace pyrometer {

struct MergedCounts {
  std::uint64_t processes = 0;
  std::uint64_t functions = 0;
  std::uint64_t nodes = 0;
};

// Uses the shards up.
Result<MergedCounts> write_merged(std::span<Shard> shards, const Path& output,
                                  const Progress& progress);

}  // namespace pyrometer

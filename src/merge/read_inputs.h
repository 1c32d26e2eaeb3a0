// The first pass of a merge: every input is read once, into the shard of the worker that took it.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "base/file.h"
#include "base/progress.h"
#include "base/result.h"
#include "load/load.h"
#include "merge/shard.h"
#include "merge/team.h"

namespace pyrometer {

struct MergeInputs {
  std::vector<Input> files;
  // Processes of the merged files among them that come from these recordings are left out,
  // because the recordings have grown and are among the files themselves.
  std::set<std::string, std::less<>> replaced;
};

struct ReadFiles {
  std::vector<Shard> shards;
  std::vector<std::string> left_out;  // one sentence for each unreadable file, of all members
};

struct ReadOptions {
  unsigned workers = 1;
  bool without_sources = false;
  Progress progress;
};

// Each member of the team reads its part. The same error for all when a file that must be readable
// is not, or none is.
Result<ReadFiles> read_inputs(const MergeInputs& inputs, const Path& output,
                              const ReadOptions& options, Team& team);

}  // namespace pyrometer

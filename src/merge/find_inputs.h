// Which files a merge reads.
#pragma once

#include <cstdint>
#include <span>

#include "merge/merge.h"
#include "merge/read_inputs.h"

namespace pyrometer {

struct FoundInputs {
  MergeInputs inputs;
  std::uint64_t unchanged = 0;  // recordings that are not read again
  bool is_update = false;       // the first input is the output of an earlier merge
};

// The first member of the team looks, and the others hear of it.
Result<FoundInputs> find_inputs(std::span<const Path> names, const Path& output, bool update,
                                Team& team);

}  // namespace pyrometer

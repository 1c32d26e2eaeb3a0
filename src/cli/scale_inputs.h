// The runs that `pyrometer scale` is given: "4=FILES", or profiles that know their own count.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/file.h"
#include "base/result.h"

namespace pyrometer {

struct ScaleInput {
  std::optional<std::int64_t> count = {};  // nothing: what the profile says
  std::string name;                        // as the user gave it, for messages
  std::vector<Path> paths = {};            // profiles of the ranks of one run
};

// Wildcards behind a count are the files of that run; without a count each file is a run.
Result<std::vector<ScaleInput>> parse_scale_inputs(const std::vector<std::string>& words);

}  // namespace pyrometer

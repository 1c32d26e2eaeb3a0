// Profiles of any kind as pstats would have loaded and added them: cProfile's own files as they
// are, to the last digit, everything else as the cProfile file that would be exported.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/file.h"
#include "base/progress.h"
#include "base/result.h"
#include "formats/pstats_sum.h"

namespace pyrometer {

struct PstatsInputs {
  PstatsSum sum;
  std::vector<std::string> sources;  // pstats' line about each: when it was written, its name
  std::vector<std::string> notes;    // what a reader should know of the others: files left out
  std::size_t processes = 0;         // that they come from
};

// In the order of pstats.Stats(first, second, ..., last): the first, then the last to the
// second. `metric` names the time to take; empty for the main one.
Result<PstatsInputs> load_as_pstats(std::span<const Path> paths, std::string_view metric,
                                    const Progress& progress);

}  // namespace pyrometer

// Profiles of any kind as tables of lines: line_profiler's own files as they are, to the last
// digit, and added up as it does; everything else as the file that would be exported.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/file.h"
#include "base/progress.h"
#include "base/result.h"
#include "formats/lprof_file.h"

namespace pyrometer {

struct LprofInputs {
  LprofFile sum;
  std::vector<std::string> notes;  // what a reader should know: files left out
  std::size_t processes = 0;       // that they come from
};

// The sum when all are files of line_profiler; nothing when one of them is not.
Result<std::optional<LprofFile>> sum_if_lprof(std::span<const Path> paths);

// An error when there are no exact lines.
Result<LprofInputs> load_as_lprof(std::span<const Path> paths, const Progress& progress);

}  // namespace pyrometer

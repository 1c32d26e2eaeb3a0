// Many profile files become one: recordings, run directories, files of other profilers and
// merged files in any mixture. The same inputs in any order give the same bytes, and
// merging merged files gives what merging everything at once gives.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/file.h"
#include "base/progress.h"
#include "base/result.h"

namespace pyrometer {

struct MergeSummary {
  std::uint64_t files = 0;  // that were merged
  std::uint64_t processes = 0;
  std::uint64_t functions = 0;
  std::uint64_t nodes = 0;
  std::uint64_t bytes = 0;            // of the output
  std::vector<std::string> left_out;  // one sentence for each unreadable file of a run directory
};

// Replaces `output`, which may be one of the inputs. A file named by the user must be
// readable; in a run directory one broken file does not hide the others. Memory hardly
// grows with the number of files. `progress` is called from several threads, one at a time.
Result<MergeSummary> merge_files(std::span<const Path> names, const Path& output,
                                 const Progress& progress);

}  // namespace pyrometer

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
#include "merge/analysis.h"
#include "merge/team.h"

namespace pyrometer {

struct MergeSummary {
  std::uint64_t files = 0;  // that were read, not counting an output that is updated
  std::uint64_t processes = 0;
  std::uint64_t functions = 0;
  std::uint64_t nodes = 0;
  std::uint64_t bytes = 0;            // of the output
  std::uint64_t unchanged = 0;        // recordings that the output had before
  std::vector<std::string> left_out;  // one sentence for each unreadable file of a run directory
};

struct MergeOptions {
  Progress progress;  // called from several threads, one at a time
  MergeAnalyses analyses;
  // The processes that merge together; each calls merge_files with the same arguments, and gets
  // the same result. None: this one alone.
  Team* team = nullptr;
  unsigned workers = 0;  // threads; 0: as many as there are cores
  // Where `output` is there already, only recordings are read that it does not have, or that may
  // have grown since.
  bool update = false;
  bool without_sources = false;  // leaves out the text of source files that are on the disk
};

// Replaces `output`, which may be one of the inputs. A file named by the user must be
// readable; in a run directory one broken file does not hide the others. Memory hardly
// grows with the number of files.
Result<MergeSummary> merge_files(std::span<const Path> names, const Path& output,
                                 const MergeOptions& options);

}  // namespace pyrometer

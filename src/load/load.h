// Any profile file becomes a Profile: a recording, a run directory, a merged .pyro file
// or a file of another profiler, recognised by content, never by name.
#pragma once

#include <span>
#include <vector>

#include "base/file.h"
#include "base/progress.h"
#include "base/result.h"
#include "profile/detail.h"
#include "profile/profile.h"

namespace pyrometer {

struct LoadOptions {
  Detail detail = Detail::kEverything;
  Progress progress;
};

// One file, or a folder of TAU's; any other directory is an error.
Result<Profile> load_file(const Path& path, Detail detail, const Progress& progress = {});

struct Input {
  Path path;
  // Found in a run directory: one broken file there must not hide the others, while a file
  // named by the user must load.
  bool is_of_run = false;
};

// The files behind the names: a run directory stands for all its recordings. A folder of TAU's is
// one input, as several of its files make one process.
Result<std::vector<Input>> expand_inputs(std::span<const Path> names);

// Everything that the names stand for, as one profile. Files are read in parallel; the
// result does not depend on that.
Result<Profile> load_profile(std::span<const Path> names, const LoadOptions& options);

}  // namespace pyrometer

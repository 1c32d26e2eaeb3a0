// Collapsed stacks of any tool become a Profile with call paths, processes and threads.
//
// The text names no unit. austin's says what it measured (microseconds, bytes), all others are
// counted as samples; so are the microseconds of our own export.
#pragma once

#include "base/file.h"
#include "base/progress.h"
#include "base/result.h"
#include "formats/collapsed_file.h"
#include "profile/profile.h"

namespace pyrometer {

Result<Profile> load_collapsed(const CollapsedFile& file);

// Reads the file in pieces: memory depends on what is distinct in it, not on its size.
Result<Profile> load_collapsed_file(const Path& path, const Progress& progress);
Result<Profile> load_collapsed_bytes(std::string_view bytes);

}  // namespace pyrometer

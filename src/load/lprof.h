// line_profiler's file becomes a Profile of one process and thread, with exact hits and times
// of lines and no call paths.
#pragma once

#include <optional>

#include "base/file.h"
#include "base/result.h"
#include "formats/lprof_file.h"
#include "profile/profile.h"

namespace pyrometer {

Profile load_lprof(const LprofFile& file);
Result<Profile> load_lprof_bytes(std::string_view bytes);

// The content of a file of line_profiler as it is; nothing when the file is of another kind.
Result<std::optional<LprofFile>> read_if_lprof(const Path& path);

}  // namespace pyrometer

// A cProfile file becomes a Profile of one process and thread. Function totals and call
// edges are kept as they are; call paths are estimated from them.
#pragma once

#include <optional>
#include <string_view>

#include "base/file.h"
#include "base/result.h"
#include "formats/pstats_file.h"
#include "profile/profile.h"

namespace pyrometer {

Result<Profile> load_pstats(const PstatsFile& file);
Result<Profile> load_pstats_bytes(std::string_view bytes);

// The content of a cProfile file as it is; nothing when the file is of another kind.
Result<std::optional<PstatsFile>> read_if_pstats(const Path& path);

}  // namespace pyrometer

// A callgrind file becomes a Profile of one process and thread: every event a metric. Costs of
// functions and lines, calls and their inclusive costs are kept as they are; call paths are
// estimated from them.
#pragma once

#include "base/result.h"
#include "formats/callgrind_file.h"
#include "profile/profile.h"

namespace pyrometer {

Profile load_callgrind(const CallgrindFile& file);
Result<Profile> load_callgrind_bytes(std::string_view bytes);

}  // namespace pyrometer

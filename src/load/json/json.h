// Profiles that are written as JSON: one entry in the table of formats, because only the whole
// text tells them apart.
#pragma once

#include "base/file.h"
#include "formats/json_document.h"
#include "profile/detail.h"
#include "profile/profile.h"

namespace pyrometer {

// Speedscope, Chrome traces, Firefox profiles, gprof2dot's and memray's files, our own export.
Result<Profile> load_json(std::string_view text, Detail detail);

// The same with the file's name in errors.
Result<Profile> load_json_file(const Path& path, Detail detail);

}  // namespace pyrometer

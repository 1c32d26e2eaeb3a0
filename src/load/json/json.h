// Profiles that are written as JSON: one entry in the table of formats, because only the whole
// text tells them apart.
#pragma once

#include "formats/json_document.h"
#include "profile/detail.h"
#include "profile/profile.h"

namespace pyrometer {

// Speedscope, Chrome traces, Firefox profiles, gprof2dot's and memray's files, our own export.
Result<Profile> load_json(std::string_view text, Detail detail);

}  // namespace pyrometer

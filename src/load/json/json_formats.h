// The profiles that are written as JSON, one reader each; json.cpp has the table that chooses.
// A reader gets the object (for Chrome's traces also the array) that the text is.
#pragma once

#include "base/result.h"
#include "formats/json_document.h"
#include "profile/detail.h"
#include "profile/profile.h"

namespace pyrometer {

Result<Profile> load_speedscope(const json::object& file, Detail detail);
// Processed profiles and the raw ones of Gecko.
Result<Profile> load_firefox(const json::object& file, Detail detail);
Result<Profile> load_chrome_trace(const json::array& events, Detail detail);
// What `pyrometer export --format json` writes.
Result<Profile> load_own_json(const json::object& file, Detail detail);
Result<Profile> load_gprof2dot_json(const json::object& file, Detail detail);
// What `memray stats --json` writes.
Result<Profile> load_memray_stats(const json::object& file, Detail detail);

}  // namespace pyrometer

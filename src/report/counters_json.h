// Counters over time and named regions in the report's JSON.
#pragma once

#include "base/json_writer.h"
#include "profile/profile.h"

namespace pyrometer {

// Members "counters" and "regions" of the object that is open; nothing where there are none.
void write_counters(const Profile& profile, JsonWriter& json);

}  // namespace pyrometer

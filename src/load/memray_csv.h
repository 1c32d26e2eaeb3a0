// Files of `memray transform csv` become a Profile of allocated bytes and allocations.
#pragma once

#include "formats/memray_csv.h"
#include "profile/profile.h"

namespace pyrometer {

Result<Profile> load_memray_csv(std::string_view text);

}  // namespace pyrometer

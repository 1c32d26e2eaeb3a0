// A cProfile file becomes a Profile of one process and thread. Function totals and call
// edges are kept as they are; call paths are estimated from them.
#pragma once

#include <string_view>

#include "base/result.h"
#include "profile/profile.h"

namespace pyrometer {

Result<Profile> load_pstats(std::string_view bytes);

}  // namespace pyrometer

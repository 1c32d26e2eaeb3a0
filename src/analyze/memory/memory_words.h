// How places that allocate are called in sentences.
#pragma once

#include <string>

#include "analyze/memory/memory_sites.h"

namespace pyrometer {

// "step (heat.py:31)"
std::string place_words(const Profile& profile, const MemoryPlace& place);

// The same, and the user's line for which a library allocated most: "concat (concat.py:12), called
// from load (load.py:7)", or "…, 60 % of it called from …" where others called it as well.
std::string site_words(const Profile& profile, const MemorySite& site, MemoryFigure figure);

}  // namespace pyrometer

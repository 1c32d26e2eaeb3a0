// What tables of places that allocate or copy have in common.
#pragma once

#include <cstdint>
#include <string>

#include "analyze/memory/memory_sites.h"
#include "profile/source_lines.h"

namespace pyrometer {

// "12.3 %"; nothing of nothing.
std::string share_cell(std::int64_t part, std::int64_t whole);
std::string where_cell(const Profile& profile, const MemoryPlace& place);
std::string name_cell(const Profile& profile, const MemoryPlace& place);
// The text of the line; of a library's line, whose call most of it was.
std::string source_cell(const Profile& profile, SourceLines& sources, const MemorySite& site);

}  // namespace pyrometer

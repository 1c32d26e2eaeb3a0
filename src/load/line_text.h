// The tables that line_profiler and memory_profiler print become a Profile of one process and
// thread, with values of lines, the source text that the tables show, and no call paths.
#pragma once

#include "base/file.h"
#include "base/result.h"
#include "formats/line_text.h"
#include "profile/profile.h"

namespace pyrometer {

Profile load_line_profiler_text(const std::vector<LineTextFunction>& functions);
Profile load_memory_profiler_text(const std::vector<MemoryTextFunction>& functions);

// Whichever tables the text has; an error when it has none. Errors do not name the file.
Result<Profile> load_line_text(std::string_view text);

// Whether there are such tables: in the beginning of a file, or anywhere in it.
bool has_line_tables(std::string_view text);

}  // namespace pyrometer

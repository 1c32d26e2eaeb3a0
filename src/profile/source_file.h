// The text of a source file that a profile names.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/file.h"

namespace pyrometer {

// Its lines without line breaks, as Python splits them; nothing when there is no such file, when it
// cannot be read as text, or when it is no Python source: a profile may come from anywhere, so
// its paths are not followed to arbitrary files.
std::optional<std::vector<std::string>> read_source(const Path& path);
// The same as one text.
std::optional<std::string> read_source_text(const Path& path);

std::vector<std::string> split_source(const std::string& text);

}  // namespace pyrometer

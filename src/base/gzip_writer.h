// Bytes as a gzip file holds them; the same bytes give the same file, as it carries no time.
#pragma once

#include <string>
#include <string_view>

namespace pyrometer {

// From 1, quick, to 9, small.
std::string gzip(std::string_view bytes, int level = 6);

}  // namespace pyrometer

// Bytes as a gzip file holds them; the same bytes give the same file, as it carries no time.
#pragma once

#include <string>
#include <string_view>

namespace pyrometer {

std::string gzip(std::string_view bytes);

}  // namespace pyrometer

// The browser application, built from view/ and linked into the executable.
#pragma once

#include <string>
#include <string_view>

namespace pyrometer {

// As a gzip file.
std::string_view packed_page();
// As the browser reads it.
const std::string& plain_page();

}  // namespace pyrometer

// Bytes as text that may stand in any document.
#pragma once

#include <string>
#include <string_view>

namespace pyrometer {

std::string base64(std::string_view bytes);

}  // namespace pyrometer

// A picture as a file: SVG as it is, PNG through librsvg's converter.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace pyrometer {

// An error when the name ends in neither .svg nor .png.
Result<void> check_picture_name(const std::string& file);

Result<void> write_picture(const std::string& file, std::string_view svg);

}  // namespace pyrometer

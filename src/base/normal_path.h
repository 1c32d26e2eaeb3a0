// One spelling for each file: Python names a program's own file as its user typed it, after the
// current folder, so `./solver.py` and `solver.py` would be two files.
#pragma once

#include <string>
#include <string_view>

namespace pyrometer {

// An absolute path without empty parts, `.` and `..`; whatever else it is, as it is.
std::string normal_path(std::string_view path);

}  // namespace pyrometer

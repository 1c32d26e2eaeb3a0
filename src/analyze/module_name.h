// What a function belongs to, in the words of an import statement.
#pragma once

#include <string>
#include <string_view>

#include "profile/profile.h"

namespace pyrometer {

// "numpy.linalg._linalg"; of native code the library, of built-in functions the module that
// has them, of labels the label.
std::string module_name(const Profile& profile, const Function& function);

// "numpy": the module up to its first dot; native code is its library's package where it is
// installed in one.
std::string package_name(const Profile& profile, const Function& function);

}  // namespace pyrometer

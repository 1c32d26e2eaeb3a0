// How functions and places are called in every view.
#pragma once

#include <string>
#include <string_view>

#include "profile/profile.h"

namespace pyrometer {

// The qualified name where there is one, else the name.
std::string_view display_name(const Profile& profile, const Function& function);

// "wave.py:52"; empty for built-in functions and labels, the library for native code.
std::string display_place(const Profile& profile, const Function& function);
std::string display_place(const Profile& profile, const Function& function, std::uint32_t line);

// The same for sentences: cut at the front, because a name may be a megabyte long.
std::string short_name(const Profile& profile, const Function& function);
std::string short_place(const Profile& profile, const Function& function);

// "wave.py:45(element)" or "{built-in method builtins.len}": as pstats prints a function.
std::string standard_name(std::string_view file, std::int64_t line, std::string_view name);
std::string standard_name(const Profile& profile, const Function& function);

// "the wall time", "the allocated bytes", "the calls"
std::string metric_words(const Metric& metric);

}  // namespace pyrometer

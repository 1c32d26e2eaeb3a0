// How the name of a thread begins that stands for many which were too short to be seen.
#pragma once

#include <string_view>

namespace pyrometer {

inline constexpr std::string_view kShortThreads = "short threads: ";

}  // namespace pyrometer

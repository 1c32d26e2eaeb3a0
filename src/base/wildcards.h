// File names with wildcards, for patterns that the shell was asked not to expand and for lists
// longer than a command line may be.
#pragma once

#include <string_view>
#include <vector>

#include "base/file.h"

namespace pyrometer {

// Whether there is a *, a ? or a [ in it.
bool has_wildcards(std::string_view pattern);

// * any characters, ? any one, [a-z] one of these, [!a-z] one of all others.
bool matches_wildcards(std::string_view pattern, std::string_view name);

// What is there by such names, in order; none of it hidden unless the pattern says so.
std::vector<Path> find_paths(std::string_view pattern);

}  // namespace pyrometer

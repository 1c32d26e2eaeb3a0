// Source files under names that are equal on every machine and in every environment:
// relative to the module search path they were imported from.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "profile/profile.h"

namespace pyrometer {

// The entries of sys.path of all processes, each once.
std::vector<std::string> module_search_paths(const Profile& profile);

// `roots` are the entries of sys.path, in any order; the longest that fits is stripped.
// Without one, what follows site-packages, dist-packages or lib/pythonX.Y is kept.
// A path that fits nowhere, and names like "<string>" or "~", stay as they are.
std::string module_relative(std::string_view path, const std::vector<std::string>& roots);

// Whose a source file is, as far as its path tells: the user's own is what is neither Python's nor
// installed. `roots` as above; the standard library is the one of them with a lib-dynload.
enum class SourceOwner { kUser, kInstalled, kStandardLibrary };
SourceOwner source_owner(std::string_view path, const std::vector<std::string>& roots);

}  // namespace pyrometer

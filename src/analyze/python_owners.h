// The closest Python code at or above each position: whose time or memory it is in the eyes of a
// reader. What the import system calls for is the importing line's, as nobody knows its code.
#pragma once

#include <vector>

#include "profile/profile.h"

namespace pyrometer {

// By node; none where no Python code led there.
std::vector<NodeId> python_owners(const Profile& profile);

// Code of the import system itself, not of what is imported.
bool is_import_machinery(const Profile& profile, const Function& function);

}  // namespace pyrometer

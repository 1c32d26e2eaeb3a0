// Which file of one profile is which of another. Names relative to the module search path are
// equal; paths of two checkouts, or of two machines, share their ends.
#pragma once

#include <map>
#include <set>
#include <string>

namespace pyrometer {

// By file of `ours`, the same file among `theirs`; files without a counterpart are left out, and so
// are those for which several would do.
std::map<std::string, std::string> match_files(const std::set<std::string>& ours,
                                               const std::set<std::string>& theirs);

}  // namespace pyrometer

// Times functions that the user named, from the moment their module was imported; those of the main
// module from their definition on.
#pragma once

#include <vector>

#include "base/file.h"
#include "base/region_target.h"
#include "cpython/layout.h"

namespace pyrometer {

// Needs the GIL. `functions_file`: the Python code that wraps functions. `layout`: how frames are
// read; none: functions of a script cannot be timed.
void install_region_hooks(std::vector<RegionTarget> targets, const Layout* layout,
                          const Path& functions_file);

}  // namespace pyrometer

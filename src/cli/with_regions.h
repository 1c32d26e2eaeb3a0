// --with-regions: the program's named regions among the frames of call paths.
#pragma once

#include <optional>
#include <span>

#include "cli/command_line.h"
#include "load/load.h"

namespace pyrometer {

CLI::Option* add_with_regions(CLI::App& command, bool& flag);

// What must be loaded for it, at least.
Detail detail_with_regions(bool with_regions, Detail otherwise);

// Loads a profile, with its regions where that is wanted.
Result<Profile> load_paths(std::span<const Path> paths, bool with_regions,
                           const LoadOptions& options);

// The same of a rank's part; nothing: it is wanted as it is, or has no regions.
Result<std::optional<Profile>> part_with_regions(const Profile& part, bool with_regions);

}  // namespace pyrometer

#include "cli/with_regions.h"

#include <algorithm>

#include "analyze/transform_with_regions.h"

namespace pyrometer {

CLI::Option* add_with_regions(CLI::App& command, bool& flag) {
  return command.add_flag("--with-regions", flag,
                          "Call paths with the program's regions (pyrometer.timed_region) among "
                          "their frames: [assembly]");
}

Detail detail_with_regions(bool with_regions, Detail otherwise) {
  return with_regions ? std::max(otherwise, Detail::kSamples) : otherwise;
}

Result<Profile> load_paths(std::span<const Path> paths, bool with, const LoadOptions& options) {
  PYROMETER_TRY(Profile profile,
                load_profile(paths, {detail_with_regions(with, options.detail), options.progress}));
  if (!with) return profile;
  return with_regions(profile);
}

Result<std::optional<Profile>> part_with_regions(const Profile& part, bool with) {
  if (!with || part.regions.empty()) return std::nullopt;
  return with_regions(part);
}

}  // namespace pyrometer

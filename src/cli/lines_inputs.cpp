#include "cli/lines_inputs.h"

#include "export/lprof.h"
#include "load/load.h"
#include "load/lprof.h"

namespace pyrometer {

Result<std::optional<LprofFile>> sum_if_lprof(std::span<const Path> paths) {
  std::vector<LprofFile> files;
  for (const Path& path : paths) {
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored)) return std::nullopt;
    PYROMETER_TRY(std::optional<LprofFile> file, read_if_lprof(path));
    if (!file) return std::nullopt;
    files.push_back(*std::move(file));
  }
  if (files.empty()) return std::nullopt;
  return sum_lprof(files);
}

Result<LprofInputs> load_as_lprof(std::span<const Path> paths, const Progress& progress) {
  LprofInputs inputs;
  PYROMETER_TRY(std::optional<LprofFile> sum, sum_if_lprof(paths));
  if (sum) {
    inputs.sum = *std::move(sum);
    inputs.processes = paths.size();
    return inputs;
  }
  PYROMETER_TRY(const Profile profile, load_profile(paths, {Detail::kSummary, progress}));
  PYROMETER_TRY(inputs.sum, make_lprof(profile));
  inputs.processes = profile.processes.size();
  inputs.notes = profile.notes;
  return inputs;
}

}  // namespace pyrometer

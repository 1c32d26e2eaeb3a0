#include <algorithm>

#include "load/tau.h"

namespace pyrometer {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kMetricFolder = "MULTI__";
// A row takes about a hundred bytes. Memory stays below thirty times the size of a hostile file.
constexpr std::uint64_t kLargestText = 256ULL << 20;

bool is_tau_file(const fs::directory_entry& entry) {
  std::error_code ignored;
  TauPlace place;
  return parse_tau_file_name(entry.path().filename().string(), place) &&
         entry.is_regular_file(ignored);
}

std::vector<Path> tau_files_in(const Path& folder) {
  std::vector<Path> files;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    if (is_tau_file(*it)) files.push_back(it->path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::vector<Path> metric_folders_in(const Path& folder) {
  std::vector<Path> folders;
  std::error_code error;
  std::error_code ignored;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    const bool is_metric = it->path().filename().string().starts_with(kMetricFolder);
    if (is_metric && it->is_directory(ignored)) folders.push_back(it->path());
  }
  std::sort(folders.begin(), folders.end());
  return folders;
}

// Those of the folder itself and of its metrics.
std::vector<Path> all_files_of(const Path& folder) {
  std::vector<Path> files = tau_files_in(folder);
  for (const Path& metric : metric_folders_in(folder)) {
    const std::vector<Path> more = tau_files_in(metric);
    files.insert(files.end(), more.begin(), more.end());
  }
  return files;
}

Result<void> add_file(TauTextReader& reader, const Path& path) {
  TauPlace place;
  if (!parse_tau_file_name(path.filename().string(), place)) place = {};
  PYROMETER_TRY(const std::string text, read_file(path, kLargestText));
  if (const auto added = reader.add(text, place); !added) {
    return fail(added.error().code, "'{}': {}", path.string(), added.error().message);
  }
  return {};
}

void name_sources(Profile& profile, const std::string& source) {
  for (Process& process : profile.processes) process.source = source;
}

}  // namespace

Result<Profile> load_tau_file(const Path& path) {
  TauTextReader reader;
  PYROMETER_TRY_VOID(add_file(reader, path));
  return load_tau(reader.take());
}

bool is_tau_folder(const Path& folder) { return !all_files_of(folder).empty(); }

Result<Profile> load_tau_folder(const Path& folder) {
  TauTextReader reader;
  std::vector<std::string> left_out;
  std::optional<Error> first_error;
  const std::vector<Path> files = all_files_of(folder);
  for (const Path& file : files) {
    const auto added = add_file(reader, file);
    if (added) continue;
    left_out.push_back(fmt::format("left out: {}", added.error().message));
    if (!first_error) first_error = added.error();
  }
  if (first_error && left_out.size() == files.size()) return tl::unexpected(*first_error);
  Profile profile = load_tau(reader.take());
  profile.notes.insert(profile.notes.end(), left_out.begin(), left_out.end());
  const Path name = folder.has_filename() ? folder.filename() : folder.parent_path().filename();
  name_sources(profile, name.string());
  return profile;
}

}  // namespace pyrometer

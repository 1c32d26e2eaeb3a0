#include "record/run_output.h"

namespace pyrometer {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMostNumbers = 1'000'000;

// A folder with other people's files, or a file, is no place for a run.
Result<void> check_place(const Path& directory) {
  std::error_code error;
  const fs::file_status status = fs::status(directory, error);
  if (!fs::exists(status)) return {};
  if (!fs::is_directory(status)) {
    return fail(ErrorCode::kUsage,
                "'{}' is a file, and a run is a folder; choose another name with -o, or one that "
                "ends in .prof, .lprof, .txt or .svg for a file derived from it",
                directory.string());
  }
  // In this order: another rank may create the run meanwhile.
  if (fs::is_empty(directory, error) || is_run_directory(directory)) return {};
  return fail(ErrorCode::kUsage, "'{}' is a folder with other files; choose a new name with -o",
              directory.string());
}

// Whether a launch of our own identity has come so far that our rank has ended in it.
bool holds_earlier_launch(const Path& directory, const OutputRequest& request,
                          const RunInfo& info) {
  if (!request.is_shared || !has_rank_ended(directory, request.parts.rank)) return false;
  const auto existing = read_run_info(directory);
  return existing && existing->launch == info.launch;
}

Result<void> join(const Path& directory, const OutputRequest& request, const RunInfo& info,
                  bool replace) {
  PYROMETER_TRY_VOID(check_place(directory));
  if (holds_earlier_launch(directory, request, info)) {
    return fail(ErrorCode::kUsage,
                "'{}' holds an earlier launch of this job; choose another name with -o",
                directory.string());
  }
  return join_run_directory(directory, info, replace);
}

// A directory that nobody else has, now or in the same moment. False: the name is taken.
Result<bool> make_new_folder(const Path& directory) {
  std::error_code error;
  if (directory.has_parent_path()) fs::create_directories(directory.parent_path(), error);
  const bool is_new = !error && fs::create_directory(directory, error);
  std::error_code ignored;
  if (error && !fs::exists(directory, ignored)) {
    return fail(ErrorCode::kIo, "cannot create the folder '{}': {}; choose another place with -o",
                directory.string(), error.message());
  }
  return is_new;
}

// The first name that is ours. Ranks of one launch come to the same: each looks at the same
// names in the same order, and a directory belongs to the launch that was first.
Result<Path> open_numbered(const std::string& first, const std::string& pattern,
                           const OutputRequest& request, const RunInfo& info) {
  for (std::uint64_t number = 1; number < kMostNumbers; ++number) {
    const Path directory = expand_name(number == 1 ? first : pattern, request.parts, number);
    if (request.is_shared) {
      const auto joined = join(directory, request, info, /*replace=*/false);
      if (joined) return directory;
      if (joined.error().code != ErrorCode::kUsage) return tl::unexpected(joined.error());
    } else {
      PYROMETER_TRY(const bool is_new, make_new_folder(directory));
      if (!is_new) continue;
      PYROMETER_TRY_VOID(join_run_directory(directory, info, /*replace=*/false));
      return directory;
    }
  }
  return fail(ErrorCode::kIo, "there are too many runs here; choose a name with -o");
}

Result<Path> open_default(const OutputRequest& request, const RunInfo& info) {
  std::string place;
  for (const char c : request.folder.string()) place += c == '%' ? "%%" : std::string(1, c);
  if (!place.empty() && !place.ends_with('/')) place += '/';
  if (!request.is_shared) {
    const std::string pattern = place + "pyrometer-%s-%n";
    return open_numbered(pattern, pattern, request, info);
  }
  // A job may launch the same script more than once.
  return open_numbered(place + "pyrometer-%s-%j", place + "pyrometer-%s-%j-%n", request, info);
}

}  // namespace

bool may_speak_of_refusal(const OutputRequest& request, const RunInfo& info) {
  const std::string& pattern = request.output;
  const bool is_one_name = !pattern.empty() && check_name(pattern) && !names_part(pattern, 'n');
  if (!request.is_shared || !is_one_name) return true;
  return may_speak_of_earlier_run(expand_name(pattern, request.parts, 1), info);
}

Result<Path> open_run_directory(const OutputRequest& request, const RunInfo& info) {
  const std::string& pattern = request.output;
  PYROMETER_TRY_VOID(check_name(pattern));
  if (pattern.empty()) return open_default(request, info);
  if (names_part(pattern, 'n')) return open_numbered(pattern, pattern, request, info);
  Path directory = expand_name(pattern, request.parts, 1);
  PYROMETER_TRY_VOID(join(directory, request, info, request.replace));
  return directory;
}

}  // namespace pyrometer

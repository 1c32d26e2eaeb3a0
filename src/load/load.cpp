#include "load/load.h"

#include <algorithm>
#include <atomic>
#include <optional>
#include <thread>

#include "base/gzip.h"
#include "load/line_text.h"
#include "load/lprof.h"
#include "load/mprof.h"
#include "load/pstats.h"
#include "load/recording.h"
#include "load/tau.h"
#include "profile/builder.h"
#include "record/run_directory.h"
#include "store/pyro_reader.h"

namespace pyrometer {
namespace {

constexpr std::size_t kPrefix = 4096;
// Files in memory at a time while a run is read: bounds memory without idle cores.
constexpr std::size_t kFilesAtOnce = 32;

Result<Profile> load_recording_file(const Path& path, Detail detail, const Progress& progress) {
  PYROMETER_TRY(RecordingReader reader, RecordingReader::open(path));
  std::error_code ignored;
  return load_recording(reader, detail, progress, std::filesystem::file_size(path, ignored));
}

Result<Profile> load_merged_file(const Path& path, Detail detail, const Progress&) {
  return read_pyro(path, detail);
}

Result<Profile> load_pstats_file(const Path& path, Detail, const Progress&) {
  PYROMETER_TRY(const std::optional<PstatsFile> file, read_if_pstats(path));
  if (file) return load_pstats(*file);
  return fail(ErrorCode::kIo, "'{}' changed while it was read; try again", path.string());
}

Result<Profile> load_lprof_file(const Path& path, Detail, const Progress&) {
  PYROMETER_TRY(const std::optional<LprofFile> file, read_if_lprof(path));
  if (file) return load_lprof(*file);
  return fail(ErrorCode::kIo, "'{}' changed while it was read; try again", path.string());
}

// What people keep of a terminal is small; memory stays below ten times of it.
constexpr std::uint64_t kLargestText = 256ULL << 20;

Result<Profile> load_line_text_file(const Path& path, Detail, const Progress&) {
  PYROMETER_TRY(const std::string text, read_file(path, kLargestText));
  auto profile = load_line_text(text);
  if (!profile)
    return fail(profile.error().code, "'{}': {}", path.string(), profile.error().message);
  return profile;
}

Result<Profile> load_mprof_file(const Path& path, Detail, const Progress&) {
  PYROMETER_TRY(const std::string text, read_file(path, kLargestText));
  const auto file = read_mprof(text);
  if (!file) return fail(file.error().code, "'{}': {}", path.string(), file.error().message);
  return load_mprof(*file);
}

bool looks_like_packed_tau(std::string_view prefix) {
  return looks_like_ppk(prefix) || looks_like_gzip(prefix);
}

// Every format that can be loaded: how it is recognised and who reads it.
struct Format {
  bool (*recognises)(std::string_view prefix) = nullptr;
  Result<Profile> (*load)(const Path& path, Detail detail, const Progress& progress) = nullptr;
};
constexpr Format kFormats[] = {
    {looks_like_recording, load_recording_file},
    {looks_like_pyro, load_merged_file},
    {looks_like_pstats, load_pstats_file},
    {looks_like_lprof, load_lprof_file},
    {looks_like_mprof, load_mprof_file},
    {looks_like_tau_text,
     [](const Path& path, Detail, const Progress&) { return load_tau_file(path); }},
    {looks_like_packed_tau,
     [](const Path& path, Detail, const Progress&) { return load_ppk_file(path); }},
    {has_line_tables, load_line_text_file},
};

// Tables of lines may stand behind megabytes of what the program itself printed.
Result<bool> has_line_tables_behind(const Path& path, std::string_view prefix) {
  const bool is_text = prefix.find('\0') == std::string_view::npos;
  std::error_code ignored;
  const std::uint64_t size = std::filesystem::file_size(path, ignored);
  if (!is_text || size <= prefix.size() || size > kLargestText) return false;
  PYROMETER_TRY(const std::string text, read_file(path, kLargestText));
  return has_line_tables(text);
}

Result<Profile> with_source(Result<Profile> profile, const Path& path) {
  if (!profile) return profile;
  for (Process& process : profile->processes) {
    if (process.source.empty()) process.source = path.filename().string();
  }
  return profile;
}

// Loads the inputs of one batch on all cores, each into its own place.
std::vector<Result<Profile>> load_batch(std::span<const Input> inputs, Detail detail) {
  std::vector<std::optional<Result<Profile>>> loaded(inputs.size());
  std::atomic<std::size_t> next{0};
  const auto work = [&] {
    for (std::size_t i = next++; i < inputs.size(); i = next++) {
      loaded[i] = load_file(inputs[i].path, detail);
    }
  };
  const std::size_t workers =
      std::min<std::size_t>(inputs.size(), std::max(1U, std::thread::hardware_concurrency()));
  std::vector<std::thread> threads;
  for (std::size_t i = 1; i < workers; ++i) threads.emplace_back(work);
  work();
  for (std::thread& thread : threads) thread.join();
  std::vector<Result<Profile>> results;
  for (auto& result : loaded) results.push_back(*std::move(result));
  return results;
}

}  // namespace

Result<Profile> load_file(const Path& path, Detail detail, const Progress& progress) {
  std::error_code not_there;
  if (std::filesystem::is_directory(path, not_there)) return load_tau_folder(path);
  PYROMETER_TRY(const std::string prefix, read_prefix(path, kPrefix));
  if (prefix.empty()) {
    return fail(ErrorCode::kCorrupt, "'{}' is empty; nothing was recorded before the program ended",
                path.string());
  }
  for (const Format& format : kFormats) {
    if (!format.recognises(prefix)) continue;
    return with_source(format.load(path, detail, progress), path);
  }
  PYROMETER_TRY(const bool has_tables, has_line_tables_behind(path, prefix));
  if (has_tables) return with_source(load_line_text_file(path, detail, progress), path);
  return fail(
      ErrorCode::kUnsupported,
      "'{}' is not a profile that Pyrometer knows; it reads recordings (.pyr), run "
      "directories, merged files (.pyro), cProfile files (.prof), line_profiler files (.lprof) and "
      "text, memory_profiler text, mprof's .dat and TAU profiles",
      path.string());
}

Result<std::vector<Input>> expand_inputs(std::span<const Path> names) {
  std::vector<Input> inputs;
  for (const Path& name : names) {
    std::error_code ignored;
    if (!std::filesystem::is_directory(name, ignored)) {
      inputs.push_back({name, false});
      continue;
    }
    if (!is_run_directory(name)) {
      if (is_tau_folder(name)) {
        inputs.push_back({name, false});
        continue;
      }
      return fail(
          ErrorCode::kUsage,
          "'{}' is a folder but no run directory, and holds no TAU profiles; name a file in it",
          name.string());
    }
    PYROMETER_TRY(const std::vector<Path> recordings, list_recordings(name));
    if (recordings.empty()) {
      return fail(ErrorCode::kNotFound,
                  "'{}' holds no recordings; the program ended before anything was recorded",
                  name.string());
    }
    for (const Path& recording : recordings) inputs.push_back({recording, true});
  }
  return inputs;
}

Result<Profile> load_profile(std::span<const Path> names, const LoadOptions& options) {
  PYROMETER_TRY(const std::vector<Input> inputs, expand_inputs(names));
  if (inputs.size() == 1) return load_file(inputs[0].path, options.detail, options.progress);

  ProfileBuilder builder;
  std::optional<Error> first_error;
  bool any_loaded = false;
  // A summary cannot be added up without its values.
  const Detail detail = std::max(options.detail, Detail::kValues);
  for (std::size_t begin = 0; begin < inputs.size(); begin += kFilesAtOnce) {
    report_progress(options.progress, "reading", begin, inputs.size());
    const auto batch =
        std::span(inputs).subspan(begin, std::min(kFilesAtOnce, inputs.size() - begin));
    auto results = load_batch(batch, detail);
    for (std::size_t i = 0; i < results.size(); ++i) {
      if (results[i]) {
        builder.add_profile(*results[i]);
        any_loaded = true;
        continue;
      }
      const Error& error = results[i].error();
      if (!batch[i].is_of_run) return tl::unexpected(error);
      builder.profile().notes.push_back(fmt::format("left out: {}", error.message));
      if (!first_error) first_error = error;
    }
  }
  report_progress(options.progress, "reading", inputs.size(), inputs.size());
  if (!any_loaded) return tl::unexpected(*first_error);
  return builder.finish();
}

}  // namespace pyrometer

#include "load/load.h"

#include <algorithm>
#include <atomic>
#include <optional>
#include <thread>

#include "load/file_formats.h"
#include "load/tau.h"
#include "profile/builder.h"
#include "record/run_directory.h"

namespace pyrometer {
namespace {

// Files in memory at a time while a run is read: bounds memory without idle cores.
constexpr std::size_t kFilesAtOnce = 32;

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

// What killed a rank, the `pyrometer run` that started it has noted beside the recordings:
// "4711 11", its pid and the signal.
void read_ending(const Path& path, Process& process) {
  if (process.rank < 0 || process.status != ProcessStatus::kKilled) return;
  const std::string how = read_end_of_rank(path, process.rank);
  const std::string pid = fmt::format("{} ", process.pid);
  if (how.starts_with(pid)) process.attributes.emplace_back("signal", how.substr(pid.size()));
}

}  // namespace

Result<Profile> load_file(const Path& path, Detail detail, const Progress& progress) {
  std::error_code not_there;
  if (std::filesystem::is_directory(path, not_there)) return load_tau_folder(path);
  PYROMETER_TRY(Profile profile, load_by_content(path, detail, progress));
  for (Process& process : profile.processes) {
    if (process.source.empty()) process.source = path.filename().string();
    read_ending(path, process);
  }
  return profile;
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
          "'{}' is a folder but not a run directory, and holds no TAU profiles; name a file in it",
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

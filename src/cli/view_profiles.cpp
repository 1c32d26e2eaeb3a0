#include "cli/view_profiles.h"

#include <algorithm>
#include <chrono>
#include <future>

#include "cli/rank_analysis.h"
#include "load/load.h"
#include "os/host_name.h"
#include "record/run_directory.h"
#include "store/pyro_reader.h"

namespace pyrometer {
namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

constexpr auto kNap = 100ms;
constexpr auto kShortestPause = 2s;
constexpr int kPausePerLoad = 10;  // times as long as loading took
constexpr auto kStillWarm = 60s;   // since a file was written that has no end

// "wave.py" of "python -X dev wave.py", "pytest" of "python -m pytest".
std::string program_of(const RunInfo& info) {
  std::span<const std::string> words = info.argv;
  if (!info.python.empty() && !words.empty()) words = words.subspan(1);
  while (!words.empty()) {
    const std::string& word = words.front();
    if (word == "-c") return "python -c";
    if (word == "-m") return words.size() > 1 ? words[1] : "";
    if (!word.starts_with('-')) return Path(word).filename().string();
    const bool takes_value = word == "-X" || word == "-W";
    words = words.subspan(std::min<std::size_t>(words.size(), takes_value ? 2 : 1));
  }
  return {};
}

ProfileTitle title_of(const Path& path) {
  std::error_code ignored;
  const Path whole = std::filesystem::absolute(path, ignored).lexically_normal();
  const Path name = whole.has_filename() ? whole.filename() : whole.parent_path().filename();
  ProfileTitle title{.name = name.string()};
  if (!is_run_directory(path)) return title;
  if (const auto info = read_run_info(path)) title.program = program_of(*info);
  return title;
}

Result<SharedProfile> load_everything(const Path& path, const Progress& progress) {
  PYROMETER_TRY(Profile profile,
                load_profile(std::span(&path, 1), {Detail::kEverything, progress}));
  return std::make_shared<const Profile>(std::move(profile));
}

Result<std::shared_ptr<const ViewedProfile>> load_viewed(const Path& path,
                                                         const Progress& progress) {
  if (is_pyro_file(path)) {
    PYROMETER_TRY(Profile summary, load_profile(std::span(&path, 1), {Detail::kSummary, progress}));
    // Where they cannot be read, they are found out anew.
    SharedRankFacts ranks = kept_rank_facts(summary, path).value_or(nullptr);
    LoadingProfile whole =
        std::async(std::launch::async, [path] { return load_everything(path, {}); }).share();
    return std::make_shared<const ViewedProfile>(
        title_of(path), std::make_shared<const Profile>(std::move(summary)), std::move(whole),
        std::move(ranks));
  }
  PYROMETER_TRY(SharedProfile profile, load_everything(path, progress));
  return std::make_shared<const ViewedProfile>(title_of(path), std::move(profile));
}

// The browser needs a moment to start; what its first questions need is worked out meanwhile.
void prepare(const std::shared_ptr<const ViewedProfile>& profile) {
  try {
    std::thread([profile] { profile->order(); }).detach();
    std::thread([profile] { profile->overview(); }).detach();
  } catch (const std::system_error&) {  // no thread: then whoever asks first waits for it
  }
}

// What a run directory holds: changes when anything is written to it.
std::uint64_t size_of_recordings(const Path& path) {
  std::uint64_t sum = 0;
  const auto recordings = list_recordings(path);
  if (!recordings) return 0;
  for (const Path& recording : *recordings) {
    std::error_code error;
    const std::uint64_t size = std::filesystem::file_size(recording, error);
    sum += error ? 1 : size + 1;
  }
  return sum;
}

bool was_written_lately(const Path& path) {
  const auto recordings = list_recordings(path);
  if (!recordings) return false;
  const auto now = std::filesystem::file_time_type::clock::now();
  return std::any_of(recordings->begin(), recordings->end(), [&](const Path& recording) {
    std::error_code error;
    const auto written = std::filesystem::last_write_time(recording, error);
    return !error && now - written < kStillWarm;
  });
}

}  // namespace

bool is_being_recorded(const Path& path, const Profile& profile) {
  if (!is_run_directory(path)) return false;
  const std::string here = host_name();
  bool is_elsewhere = false;
  for (const Process& process : profile.processes) {
    const bool has_ended =
        process.status == ProcessStatus::kFinished || process.status == ProcessStatus::kDamaged;
    if (has_ended) continue;
    if (process.host != here) {
      is_elsewhere = true;
      continue;
    }
    std::error_code ignored;
    if (std::filesystem::exists(fmt::format("/proc/{}", process.pid), ignored)) return true;
  }
  // Of another machine we see the files only.
  return is_elsewhere && was_written_lately(path);
}

Result<ProfileVersion> load_version(const Path& path, const Progress& progress) {
  PYROMETER_TRY(std::shared_ptr<const ViewedProfile> profile, load_viewed(path, progress));
  prepare(profile);
  const bool is_live = is_being_recorded(path, profile->summary());
  return ProfileVersion{.profile = std::move(profile), .is_live = is_live};
}

LiveReader::LiveReader(std::vector<Path> paths, ProfileSet& profiles)
    : paths_(std::move(paths)), profiles_(profiles) {
  const ProfileVersions now = profiles.now();
  for (std::size_t row = 0; row < now.size(); ++row) {
    if (now[row].is_live) threads_.emplace_back([this, row] { watch(row); });
  }
}

LiveReader::~LiveReader() {
  is_over_ = true;
  for (std::thread& thread : threads_) thread.join();
}

void LiveReader::watch(std::size_t row) {
  const Path& path = paths_[row];
  std::uint64_t size = 0;
  auto next = Clock::now() + kShortestPause;
  for (;;) {
    while (Clock::now() < next) {
      if (is_over_) return;
      std::this_thread::sleep_for(kNap);
    }
    const auto began = Clock::now();
    const std::uint64_t grown = size_of_recordings(path);
    const ProfileVersion known = profiles_.now()[row];
    if (grown == size) {
      // A program that was killed writes no end: its process is gone, and nothing grows.
      if (!is_being_recorded(path, known.profile->summary())) {
        profiles_.replace(row, nullptr, false);
        return;
      }
    } else if (auto version = load_version(path, {})) {
      // What cannot be read now is looked at again later.
      size = grown;
      profiles_.replace(row, version->profile, version->is_live);
      if (!version->is_live) return;
    }
    const auto pause = kPausePerLoad * (Clock::now() - began);
    next = Clock::now() + std::max<Clock::duration>(kShortestPause, pause);
  }
}

}  // namespace pyrometer

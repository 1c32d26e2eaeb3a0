#include "record/run_directory.h"

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <thread>

#include "base/content_id.h"
#include "base/json_writer.h"

namespace pyrometer {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

constexpr std::uint64_t kMaxRunInfo = 16U << 20;
constexpr int kRunInfoVersion = 1;
constexpr std::uint32_t kRecordingsPerFolder = 1000;
// A process that is creating RUN.json needs a moment; on a parallel file system a long one.
constexpr auto kPatience = 10s;

// Small files beside RUN.json; their names end with what they are about.
constexpr std::string_view kReplaceClaim = ".replace-";
constexpr std::string_view kEndMark = ".ended-";
constexpr std::string_view kClaim = ".claim-";

bool is_named(const fs::directory_entry& entry, std::string_view beginning) {
  return entry.path().filename().string().starts_with(beginning);
}

Path end_mark(const Path& directory, std::int32_t rank) {
  return directory / fmt::format("{}{}", kEndMark, rank);
}

// The small files of one kind in the directory.
std::vector<Path> files_named(const Path& directory, std::string_view beginning) {
  std::vector<Path> files;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(directory, error)) {
    if (is_named(entry, beginning)) files.push_back(entry.path());
  }
  return files;
}

Path run_file(const Path& directory) { return directory / "RUN.json"; }

Result<void> make_folder(const Path& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error) {
    return fail(ErrorCode::kIo, "cannot create the folder '{}': {}; choose another place with -o",
                path.string(), error.message());
  }
  return {};
}

// Exactly one process of a launch gets true: the one that clears the old run away. The claim
// stays, so that a late process which still saw the old run cannot clear the new one.
bool claims_replacement(const Path& directory, const RunInfo& info) {
  const Path claim =
      directory / fmt::format("{}{}", kReplaceClaim, content_id(info.launch).to_string());
  return create_file(claim, info.launch).has_value();
}

Result<void> clear_old_run(const Path& directory) {
  std::error_code error;
  fs::remove_all(directory / "raw", error);
  if (!error) fs::remove_all(directory / "merged", error);
  for (const std::string_view kind : {kEndMark, kClaim}) {
    for (const Path& file : files_named(directory, kind)) {
      if (!error) fs::remove(file, error);
    }
  }
  if (!error) fs::remove(run_file(directory), error);
  if (error) {
    return fail(ErrorCode::kIo, "cannot remove the old run in '{}': {}", directory.string(),
                error.message());
  }
  return {};
}

}  // namespace

std::string encode_run_info(const RunInfo& info) {
  JsonWriter json(/*indent=*/true);
  json.begin_object();
  json.member("version", kRunInfoVersion);
  json.member("launch", info.launch);
  json.key("argv").begin_array();
  for (const std::string& argument : info.argv) json.value(argument);
  json.end_array();
  json.member("python", info.python).member("host", info.host);
  json.member("launcher", info.launcher).member("size", info.size).member("start", info.start);
  json.key("options").begin_object();
  for (const auto& [name, value] : info.options) json.member(name, value);
  json.end_object().end_object();
  return json.take();
}

Result<RunInfo> decode_run_info(std::string_view json) {
  using Json = nlohmann::json;
  const Json document = Json::parse(json, nullptr, /*allow_exceptions=*/false);
  try {
    const int version = document.at("version").get<int>();
    if (version > kRunInfoVersion) {
      return fail(ErrorCode::kUnsupported, "was made by a newer Pyrometer; update Pyrometer");
    }
    return RunInfo{
        .launch = document.at("launch").get<std::string>(),
        .argv = document.at("argv").get<std::vector<std::string>>(),
        .python = document.at("python").get<std::string>(),
        .host = document.at("host").get<std::string>(),
        .launcher = document.at("launcher").get<std::string>(),
        .size = document.at("size").get<std::int64_t>(),
        .start = document.at("start").get<std::int64_t>(),
        .options = document.at("options").get<std::map<std::string, std::string>>(),
    };
  } catch (const Json::exception&) {
    return fail(ErrorCode::kCorrupt, "is not the RUN.json of a Pyrometer run");
  }
}

Result<RunInfo> read_run_info(const Path& directory) {
  const Path path = run_file(directory);
  PYROMETER_TRY(const std::string json, read_file(path, kMaxRunInfo));
  auto info = decode_run_info(json);
  if (!info) return fail(info.error().code, "'{}' {}", path.string(), info.error().message);
  return info;
}

Result<void> join_run_directory(const Path& directory, const RunInfo& info, bool replace) {
  PYROMETER_TRY_VOID(make_folder(directory));
  const auto deadline = std::chrono::steady_clock::now() + kPatience;
  for (;;) {
    auto created = create_file(run_file(directory), encode_run_info(info));
    if (created) break;
    if (created.error().code != ErrorCode::kUsage) return created;

    const auto existing = read_run_info(directory);
    if (existing && existing->launch == info.launch) break;
    if (existing && !replace) {
      return fail(
          ErrorCode::kUsage,
          "'{}' holds an earlier run; choose another name with -o, or replace it with --replace",
          directory.string());
    }
    if (existing && claims_replacement(directory, info)) {
      PYROMETER_TRY_VOID(clear_old_run(directory));
      continue;
    }
    // Another process is writing RUN.json or clearing the old run: a moment later it is done.
    if (std::chrono::steady_clock::now() > deadline) {
      if (!existing) return tl::unexpected(existing.error());
      return fail(ErrorCode::kIo, "another process of this launch did not finish clearing '{}'",
                  directory.string());
    }
    std::this_thread::sleep_for(10ms);
  }
  return make_folder(directory / "raw");
}

Path recording_path(const Path& directory, const RecordingHeader& header, std::int64_t open_time) {
  std::string host = header.host;
  const auto is_unfit = [](char c) {
    return (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && c != '.' &&
           c != '-';
  };
  std::replace_if(host.begin(), host.end(), is_unfit, '_');
  const bool ranked = header.rank >= 0;
  const std::uint32_t number = ranked ? static_cast<std::uint32_t>(header.rank) : header.pid;
  const std::string rank = ranked ? fmt::format("{:07}", header.rank) : "";
  return directory / "raw" / fmt::format("{:03}", number / kRecordingsPerFolder) /
         fmt::format("r{}-{}-{}-{}.pyr", rank, host, header.pid, open_time);
}

bool mark_end_of_rank(const Path& directory, std::int32_t rank, std::int32_t size,
                      std::string_view how) {
  // Left by an earlier process of the same rank, it is as good.
  [[maybe_unused]] const auto made = create_file(end_mark(directory, rank), how);
  if (size <= 0) return false;
  const std::size_t ended = files_named(directory, kEndMark).size();
  // Several may see that all have ended, when they end at the same time.
  return ended >= static_cast<std::size_t>(size) && claim(directory, "last");
}

std::string read_end_of_rank(const Path& recording, std::int64_t rank) {
  constexpr std::uint64_t kLongest = 100;
  // RUN/raw/000/r0000012-...
  const Path raw = recording.parent_path().parent_path();
  if (raw.filename() != "raw") return {};
  return read_file(end_mark(raw.parent_path(), static_cast<std::int32_t>(rank)), kLongest)
      .value_or("");
}

bool claim(const Path& directory, std::string_view what) {
  return create_file(directory / fmt::format("{}{}", kClaim, what), "").has_value();
}

bool has_rank_ended(const Path& directory, std::int32_t rank) {
  std::error_code ignored;
  return fs::exists(end_mark(directory, rank), ignored);
}

bool may_speak_of_earlier_run(const Path& directory, const RunInfo& info) {
  if (!is_run_directory(directory)) return true;
  const Path mark =
      directory / fmt::format("{}refused-{}", kClaim, content_id(info.launch).to_string());
  const auto made = create_file(mark, "");
  return made || made.error().code != ErrorCode::kUsage;
}

void remove_run(const Path& directory) {
  std::error_code ignored;
  fs::remove_all(directory / "raw", ignored);
  for (const std::string_view kind : {kEndMark, kClaim, kReplaceClaim}) {
    for (const Path& file : files_named(directory, kind)) fs::remove(file, ignored);
  }
  fs::remove(run_file(directory), ignored);
  fs::remove(directory, ignored);
}

bool remove_empty_run(const Path& directory) {
  const Path raw = directory / "raw";
  std::error_code error;
  // The file system refuses to remove folders with something in them.
  for (fs::directory_iterator it(raw, error), end; !error && it != end; it.increment(error)) {
    std::error_code ignored;
    if (it->is_directory(ignored)) fs::remove(it->path(), ignored);
  }
  error.clear();
  fs::remove(raw, error);
  if (error) return false;
  remove_run(directory);
  return true;
}

bool is_run_directory(const Path& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored) &&
         (fs::exists(run_file(path), ignored) || fs::is_directory(path / "raw", ignored) ||
          !files_named(path, kReplaceClaim).empty());  // between the old run and the new one
}

Result<std::vector<Path>> list_recordings(const Path& directory) {
  std::vector<Path> recordings;
  std::error_code error;
  for (fs::recursive_directory_iterator it(directory / "raw", error), end; !error && it != end;
       it.increment(error)) {
    if (it->path().extension() == ".pyr") recordings.push_back(it->path());
  }
  if (error) {
    return fail(ErrorCode::kIo, "cannot list the recordings in '{}': {}", directory.string(),
                error.message());
  }
  std::sort(recordings.begin(), recordings.end());
  return recordings;
}

}  // namespace pyrometer

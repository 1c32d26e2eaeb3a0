// Files in cProfile's or line_profiler's format, derived from the recordings of a run.
#include <map>

#include "analyze/main_metric.h"
#include "cli/run_output.h"
#include "export/exporter.h"
#include "load/load.h"
#include "record/reader.h"

namespace pyrometer {
namespace {

constexpr std::uint64_t kMostNumbers = 1'000'000;

bool is_per_process(std::string_view pattern) {
  return names_part(pattern, 'p') || names_part(pattern, 'r');
}

// The recordings behind one file.
struct Group {
  NameParts parts;
  std::vector<Path> recordings;
};
// By the file's name with %n still open.
using Groups = std::map<std::string, Group>;

Result<Groups> group_recordings(const ProfRequest& request) {
  PYROMETER_TRY(const std::vector<Path> recordings, list_recordings(request.output.directory));
  const bool only_own = is_per_process(request.output.prof) && request.rank >= 0;
  Groups groups;
  for (const Path& path : recordings) {
    const auto reader = RecordingReader::open(path);
    if (!reader) continue;  // loading the run says why
    const RecordingHeader& header = reader->header();
    if (only_own && (header.rank != request.rank || header.host != request.parts.host)) continue;
    NameParts parts = request.parts;
    if (is_per_process(request.output.prof)) {
      parts.host = header.host;
      parts.pid = header.pid;
      if (header.rank >= 0) parts.rank = header.rank;
    }
    Group& group = groups[expand_name(request.output.prof, parts, 0)];
    group.parts = parts;
    group.recordings.push_back(path);
  }
  return groups;
}

// Empty when the processes ended before anything was measured.
Result<std::string> bytes_of(const std::vector<Path>& recordings, bool of_lines) {
  PYROMETER_TRY(const Profile profile, load_profile(recordings, {Detail::kValues, {}}));
  if (of_lines ? profile.line_values.empty() : profile.nodes.empty()) return std::string();
  PYROMETER_TRY(const MetricId metric, main_metric(profile));
  const Overview overview = make_overview(profile, metric);
  return of_lines ? export_lprof(overview) : export_pstats(overview);
}

// With a running number: the first name that is free, taken in the same step.
Result<std::string> write_numbered(std::string_view pattern, const NameParts& parts,
                                   std::string_view bytes) {
  for (std::uint64_t number = 1; number < kMostNumbers; ++number) {
    const std::string name = expand_name(pattern, parts, number);
    const auto created = create_file(name, bytes);
    if (created) return name;
    if (created.error().code != ErrorCode::kUsage) return tl::unexpected(created.error());
  }
  return fail(ErrorCode::kIo, "there are too many files named '{}'", pattern);
}

}  // namespace

Result<std::vector<std::string>> write_prof_files(const ProfRequest& request) {
  const std::string& pattern = request.output.prof;
  const bool waits_for_others = request.rank >= 0 && !request.is_last_rank;
  if (waits_for_others && !is_per_process(pattern)) return std::vector<std::string>{};
  PYROMETER_TRY(const Groups groups, group_recordings(request));
  std::vector<std::string> files;
  for (const auto& [name, group] : groups) {
    PYROMETER_TRY(const std::string bytes,
                  bytes_of(group.recordings, request.output.has_line_files()));
    if (bytes.empty()) continue;
    std::error_code ignored;
    const Path folder = Path(name).parent_path();
    if (!folder.empty()) std::filesystem::create_directories(folder, ignored);
    if (names_part(pattern, 'n')) {
      PYROMETER_TRY(std::string file, write_numbered(pattern, group.parts, bytes));
      files.push_back(std::move(file));
    } else {
      PYROMETER_TRY_VOID(write_file(name, bytes));
      files.push_back(name);
    }
  }
  return files;
}

}  // namespace pyrometer

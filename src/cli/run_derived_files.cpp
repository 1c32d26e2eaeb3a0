// Files for other tools and for people, derived from the recordings of a run.
#include <map>

#include "analyze/main_metric.h"
#include "cli/graph_drawing.h"
#include "cli/rank_parts.h"
#include "cli/run_output.h"
#include "export/exporter.h"
#include "load/load.h"
#include "record/reader.h"
#include "report/report.h"

namespace pyrometer {
namespace {

constexpr std::uint64_t kMostNumbers = 1'000'000;
constexpr std::size_t kReportRows = 20;

// The recordings behind one file.
struct Group {
  NameParts parts;
  std::vector<Path> recordings;
};
// By the file's name with %n still open.
using Groups = std::map<std::string, Group>;

Result<Groups> group_recordings(const DerivedRequest& request) {
  PYROMETER_TRY(const std::vector<Path> recordings, list_recordings(request.output.directory));
  const bool only_own = is_per_process(request.output.derived) && request.rank >= 0;
  Groups groups;
  for (const Path& path : recordings) {
    const auto reader = RecordingReader::open(path);
    if (!reader) continue;  // loading the run says why
    const RecordingHeader& header = reader->header();
    if (only_own && (header.rank != request.rank || header.host != request.parts.host)) continue;
    NameParts parts = request.parts;
    if (is_per_process(request.output.derived)) {
      parts.host = header.host;
      parts.pid = header.pid;
      if (header.rank >= 0) parts.rank = header.rank;
    }
    Group& group = groups[expand_name(request.output.derived, parts, 0)];
    group.parts = parts;
    group.recordings.push_back(path);
  }
  return groups;
}

struct Content {
  std::string bytes;  // empty when the processes ended before anything was measured
  std::optional<Drawing> drawing = {};  // in the place of bytes: Graphviz makes them
};

// Of those that `export` writes.
Result<const Exporter*> exporter_of(DerivedKind kind, std::string_view pattern) {
  if (kind == DerivedKind::kLprof) return find_exporter("lprof", "");
  if (kind == DerivedKind::kExport) return find_exporter("", without_parts_at_end(pattern));
  return find_exporter("pstats", "");
}

Result<Content> content_of(const Group& group, std::string_view pattern) {
  const DerivedKind kind = derived_kind(pattern).value_or(DerivedKind::kProf);
  PYROMETER_TRY(const Exporter* exporter, exporter_of(kind, pattern));
  const bool needs_events = kind == DerivedKind::kExport && exporter->needs_events;
  PYROMETER_TRY(
      Profile profile,
      load_profile(group.recordings, {needs_events ? Detail::kEverything : Detail::kValues, {}}));
  if (is_per_process(pattern)) expect_only(profile, group.parts.rank);
  const bool is_of_lines = kind == DerivedKind::kLprof;
  if (is_of_lines ? profile.line_values.empty() : profile.nodes.empty()) return Content{};
  if (kind == DerivedKind::kGraph) {
    const GraphRequest request;
    PYROMETER_TRY(ShareGraph graph, graph_of(profile, request));
    PYROMETER_TRY(Drawing drawing, draw_graph(std::move(graph), request));
    return Content{.bytes = drawing.text, .drawing = drawing};
  }
  PYROMETER_TRY(const MetricId metric, main_metric(profile));
  const Overview overview = make_overview(profile, metric);
  if (kind == DerivedKind::kReport) {
    ReportOptions options;
    options.selection.limit = kReportRows;
    return Content{.bytes = report_text(overview, options)};
  }
  PYROMETER_TRY(std::string bytes, write_export(*exporter, overview));
  return Content{.bytes = std::move(bytes)};
}

Result<void> write_one(const std::string& name, const Content& content) {
  if (!content.drawing) return write_file(name, content.bytes);
  // What Graphviz remarks on is for those who draw by hand.
  PYROMETER_TRY_VOID(write_picture(name, *content.drawing));
  return {};
}

// With a running number: the first name that is free, taken in the same step.
Result<std::string> write_numbered(std::string_view pattern, const NameParts& parts,
                                   const Content& content) {
  for (std::uint64_t number = 1; number < kMostNumbers; ++number) {
    std::string name = expand_name(pattern, parts, number);
    const auto created = create_file(name, content.bytes);
    if (created) {
      if (content.drawing) PYROMETER_TRY_VOID(write_one(name, content));
      return name;
    }
    if (created.error().code != ErrorCode::kUsage) return tl::unexpected(created.error());
  }
  return fail(ErrorCode::kIo, "there are too many files named '{}'", pattern);
}

Result<std::string> write_content(const std::string& pattern, const std::string& name,
                                  const NameParts& parts, const Content& content) {
  std::error_code ignored;
  const Path folder = Path(name).parent_path();
  if (!folder.empty()) std::filesystem::create_directories(folder, ignored);
  if (names_part(pattern, 'n')) return write_numbered(pattern, parts, content);
  PYROMETER_TRY_VOID(write_one(name, content));
  return name;
}

}  // namespace

bool is_per_process(std::string_view pattern) {
  return names_part(pattern, 'p') || names_part(pattern, 'r');
}

Result<std::vector<std::string>> write_derived_files(const DerivedRequest& request) {
  const std::string& pattern = request.output.derived;
  const bool waits_for_others = request.rank >= 0 && !request.is_last_rank;
  if (waits_for_others && !is_per_process(pattern)) return std::vector<std::string>{};
  PYROMETER_TRY(const Groups groups, group_recordings(request));
  std::vector<std::string> files;
  for (const auto& [name, group] : groups) {
    PYROMETER_TRY(const Content content, content_of(group, pattern));
    if (content.bytes.empty()) continue;
    PYROMETER_TRY(std::string file, write_content(pattern, name, group.parts, content));
    files.push_back(std::move(file));
  }
  if (files.empty() && !groups.empty()) {
    return fail(ErrorCode::kNotFound, "'{}' was not written, as no {} was measured", pattern,
                derived_kind(pattern) == DerivedKind::kLprof ? "line" : "function");
  }
  return files;
}

}  // namespace pyrometer

#include "export/exporter.h"

#include <algorithm>

#include "base/wildcards.h"

namespace pyrometer {
namespace {

// Longer extensions stand before those that they end with.
constexpr Exporter kExporters[] = {
    {"flamegraph", ".svg", "a flame graph to click and search, for any browser", export_flamegraph},
    {"collapsed", ".collapsed", "one line per call path and value, for flame graph tools",
     export_collapsed},
    {"speedscope", ".speedscope.json", "speedscope's JSON, one profile per thread",
     export_speedscope},
    {"firefox", ".firefox.json", "for the Firefox Profiler, one track per thread", export_firefox,
     true},
    {"chrome", ".trace.json", "calls in time, for Perfetto and Chrome's tracing", export_chrome,
     true},
    {"pprof", ".pb.gz .pprof", "pprof's protocol buffer, every metric in it", export_pprof, false,
     true},
    {"callgrind", ".callgrind callgrind.out*", "for KCachegrind, callgrind_annotate and gprof2dot",
     export_callgrind},
    {"pstats", ".prof .pstats", "cProfile's file, for pstats, snakeviz and gprof2dot",
     export_pstats, false, true},
    {"lprof", ".lprof", "line_profiler's file, of run --lines", export_lprof, false, true, nullptr,
     ExportOf::kLines},
    {"csv-lines", ".lines.csv", "a table of source lines", export_csv_lines, false, false, nullptr,
     ExportOf::kLines},
    {"csv", ".csv", "a table of functions, a column per metric", export_csv},
    {"sqlite", ".sqlite .sqlite3 .db", "plain tables and views for SQL", export_sqlite, false, true,
     nullptr, ExportOf::kAll},
    {"json", ".json", "everything: functions, call tree, lines, threads, processes, values",
     export_json, false, false, nullptr, ExportOf::kAll},
    {"tau", ".tau", "a folder of TAU profiles, for ParaProf and Hatchet", nullptr, false, false,
     export_tau},
    {"mprof", ".mprof.dat", "memory over time, for mprof plot", export_mprof, true, false, nullptr,
     ExportOf::kCounters},
    {"ppk", ".ppk", "the same in one packed file, for ParaProf", export_ppk, false, true},
};

// Whether one of the extensions, or a whole name with wildcards, is that of `output`.
bool is_named_for(std::string_view extensions, const Path& output) {
  const std::string name = output.filename().string();
  while (!extensions.empty()) {
    const std::string_view word = extensions.substr(0, extensions.find(' '));
    extensions.remove_prefix(std::min(extensions.size(), word.size() + 1));
    const bool fits = has_wildcards(word) ? matches_wildcards(word, name) : name.ends_with(word);
    if (fits) return true;
  }
  return false;
}

Result<void> check_content(const Exporter& exporter, const Overview& overview) {
  const Profile& profile = overview.profile;
  const bool has_functions = !profile.nodes.empty() || !profile.flat_values.empty();
  const bool has_lines = !profile.line_values.empty();
  const bool is_empty = !has_lines && profile.counters.empty();
  if (exporter.content != ExportOf::kFunctions || has_functions || is_empty) return {};
  const bool has_times = profile.find_metric(metric::kLineTime).has_value();
  return fail(
      ErrorCode::kUsage,
      "this profile holds {}, but no functions with call paths, of which {} files are made; "
      "choose --format {}",
      has_lines ? "lines" : "memory over time", exporter.name,
      !has_lines  ? "mprof"
      : has_times ? "csv-lines, lprof, sqlite or json"
                  : "csv-lines, sqlite or json");
}

}  // namespace

Result<std::string> write_export(const Exporter& exporter, const Overview& overview) {
  PYROMETER_TRY_VOID(check_content(exporter, overview));
  return exporter.write(overview);
}

Result<std::vector<ExportedFile>> write_export_folder(const Exporter& exporter,
                                                      const Overview& overview) {
  PYROMETER_TRY_VOID(check_content(exporter, overview));
  return exporter.write_folder(overview);
}

std::span<const Exporter> exporters() { return kExporters; }

Result<const Exporter*> find_exporter(std::string_view format, std::string_view output) {
  std::string names;
  for (const Exporter& exporter : kExporters) {
    const bool fits =
        format.empty() ? is_named_for(exporter.extension, output) : exporter.name == format;
    if (fits) return &exporter;
    names += (names.empty() ? "" : ", ") + std::string(exporter.name);
  }
  if (!format.empty()) {
    return fail(ErrorCode::kUsage, "there is no format '{}'; choose one of {}", format, names);
  }
  return fail(ErrorCode::kUsage, "choose a format with --format: {}", names);
}

}  // namespace pyrometer

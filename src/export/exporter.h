// Files for other viewers. An exporter is one file here and one line in the table of
// exporter.cpp.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analyze/overview.h"
#include "base/result.h"

namespace pyrometer {

// One of several that an export consists of, in a folder of its own.
struct ExportedFile {
  std::string name;  // with '/' between folders
  std::string content;
};

// What a format is made of. A profile that has none of it would become an empty file.
enum class ExportOf {
  kFunctions,  // and call paths
  kLines,
  kCounters,  // memory over time
  kAll,
};

struct Exporter {
  std::string_view name;         // as in --format
  std::string_view extension;    // that chooses it, with the dot; several with spaces between
  std::string_view description;  // for --help
  Result<std::string> (*write)(const Overview& overview);
  bool needs_events = false;  // what happened when, not only totals
  bool is_binary = false;     // nothing for a terminal
  // In the place of `write` where the output is a folder.
  Result<std::vector<ExportedFile>> (*write_folder)(const Overview& overview) = nullptr;
  ExportOf content = ExportOf::kFunctions;
};

std::span<const Exporter> exporters();

// By name, or where that is empty by the extension of the output.
Result<const Exporter*> find_exporter(std::string_view format, std::string_view output);

// Through these, not through an exporter's own functions: an error when the profile has lines or
// memory over time alone, of which the format would hold nothing.
Result<std::string> write_export(const Exporter& exporter, const Overview& overview);
Result<std::vector<ExportedFile>> write_export_folder(const Exporter& exporter,
                                                      const Overview& overview);

Result<std::string> export_collapsed(const Overview& overview);
Result<std::string> export_speedscope(const Overview& overview);
Result<std::string> export_chrome(const Overview& overview);
Result<std::string> export_pstats(const Overview& overview);
Result<std::string> export_lprof(const Overview& overview);
Result<std::string> export_pprof(const Overview& overview);
Result<std::string> export_callgrind(const Overview& overview);
Result<std::string> export_firefox(const Overview& overview);
Result<std::string> export_flamegraph(const Overview& overview);
Result<std::string> export_csv(const Overview& overview);
Result<std::string> export_csv_lines(const Overview& overview);
Result<std::string> export_sqlite(const Overview& overview);
Result<std::string> export_json(const Overview& overview);
Result<std::vector<ExportedFile>> export_tau(const Overview& overview);
Result<std::string> export_mprof(const Overview& overview);
Result<std::string> export_ppk(const Overview& overview);

}  // namespace pyrometer

#include "export/exporter.h"

namespace pyrometer {
namespace {

constexpr Exporter kExporters[] = {
    {"collapsed", ".collapsed", "one line per call path and value, for flame graph tools",
     export_collapsed},
    {"speedscope", ".speedscope.json", "speedscope's JSON, one profile per thread",
     export_speedscope},
    {"chrome", ".trace.json", "calls in time, for Perfetto and Chrome's tracing, of run --timeline",
     export_chrome, true},
    {"pstats", ".prof", "cProfile's file, for pstats, snakeviz and gprof2dot", export_pstats},
    {"lprof", ".lprof", "line_profiler's file, of run --lines", export_lprof},
    {"json", ".json", "everything: functions, call tree, lines, threads, processes, values",
     export_json},
    {"tau", ".tau", "a folder of TAU profiles, for ParaProf and Hatchet", nullptr, false,
     export_tau},
    {"ppk", ".ppk", "the same in one packed file, for ParaProf", export_ppk},
};

}  // namespace

std::span<const Exporter> exporters() { return kExporters; }

Result<const Exporter*> find_exporter(std::string_view format, std::string_view output) {
  std::string names;
  for (const Exporter& exporter : kExporters) {
    const bool fits =
        format.empty() ? output.ends_with(exporter.extension) : exporter.name == format;
    if (fits) return &exporter;
    names += (names.empty() ? "" : ", ") + std::string(exporter.name);
  }
  if (!format.empty()) {
    return fail(ErrorCode::kUsage, "there is no format '{}'; choose one of {}", format, names);
  }
  return fail(ErrorCode::kUsage, "choose a format with --format: {}", names);
}

}  // namespace pyrometer

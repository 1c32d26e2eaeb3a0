#include "export/lprof.h"

#include "analyze/function_lines.h"
#include "export/exporter.h"

namespace pyrometer {

Result<LprofFile> make_lprof(const Profile& profile) {
  const FunctionLinesTable table = make_function_lines(profile);
  // Tables of memory have hits, too.
  const bool has_times = table.functions.empty() || profile.find_metric(metric::kLineTime);
  if (table.is_sampled || !has_times) {
    return fail(ErrorCode::kUsage,
                "line_profiler files hold exact hits and times of lines, which this profile has "
                "not; record it with 'pyrometer run --lines'");
  }
  LprofFile file{.functions = {}, .unit = table.unit};
  for (const FunctionLines& function : table.functions) {
    LprofFunction& row = file.functions.emplace_back();
    row.file = function.file;
    row.first_line = function.first_line;
    row.name = function.name;
    for (const LineFigures& line : function.lines) {
      // line_profiler divides by the hits.
      if (line.hits > 0) row.lines.push_back({line.line, line.hits, line.time});
    }
  }
  return file;
}

Result<std::string> export_lprof(const Overview& overview) {
  PYROMETER_TRY(const LprofFile file, make_lprof(overview.profile));
  return write_lprof(file);
}

}  // namespace pyrometer

// Tables of lines as line_profiler prints them, byte for byte unless more is asked for.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "analyze/function_lines.h"
#include "base/result.h"
#include "formats/lprof_file.h"

namespace pyrometer {

// What line_profiler has no column for.
enum class LineColumn { kSelf, kPython, kNative, kWait, kSamples };

struct LinesOptions {
  double unit = 1e-6;  // of the times shown, in seconds
  bool skip_zero = false;
  bool sort = false;  // by ascending time
  bool summarize = false;
  bool rich = false;
  bool statements = false;
  std::vector<LineColumn> columns = {};
};

// The lines of a source file; nothing when there is no such file.
using ReadSource = std::function<std::optional<std::vector<std::string>>(const std::string& file)>;

Result<std::string> lines_text(const FunctionLinesTable& table, const LinesOptions& options,
                               const ReadSource& read_source);
Result<std::string> lines_json(const FunctionLinesTable& table, const LinesOptions& options,
                               const ReadSource& read_source);

// In the order of the file, or what the options ask for, without those that they leave out.
std::vector<const FunctionLines*> ordered_functions(const FunctionLinesTable& table,
                                                    const LinesOptions& options);

// Of all lines, in units of the table.
std::int64_t time_of(const FunctionLines& function);
std::int64_t hits_of(const FunctionLines& function);

// Figures of statements in place of lines, at the first line of each. How often a statement
// began is that of its first line; where all its lines ran a multiple of the rarest, that: a call
// over several lines comes back to its first one.
FunctionLines merge_statements(const FunctionLines& function,
                               const std::vector<std::string>& source);

FunctionLinesTable table_of(const LprofFile& file);

}  // namespace pyrometer

// The content of line_profiler's file (`kernprof -l`, LineProfiler.dump_stats): a pickled
// LineStats, whose `timings` map the label (file, first line, name) of each function to a list of
//     (line, hits, time)
// where time counts `unit` seconds, is that of the line with everything it calls, and lines
// that never ran are not listed.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace pyrometer {

struct LprofLine {
  std::int64_t line = 0;
  std::int64_t hits = 0;
  std::int64_t time = 0;  // in units of the file

  friend bool operator==(const LprofLine&, const LprofLine&) = default;
};

struct LprofFunction {
  std::string file;
  std::int64_t first_line = 0;
  std::string name;  // qualified since line_profiler 5; may hold lone surrogates, as may file
  std::vector<LprofLine> lines = {};

  friend bool operator==(const LprofFunction&, const LprofFunction&) = default;
};

// As read: labels are unique, functions and lines come in the order of the file, line numbers
// are from 0 to 2^31 - 1, the unit is positive and finite.
struct LprofFile {
  std::vector<LprofFunction> functions;
  double unit = 1e-9;

  friend bool operator==(const LprofFile&, const LprofFile&) = default;
};

// Of entries with the same label the last one counts, as in Python. Errors name the byte, the
// caller adds the file.
Result<LprofFile> read_lprof(std::string_view bytes);

// Loads in line_profiler 3, 4 and 5. Of functions with the same label the last one counts.
std::string write_lprof(const LprofFile& file);

// Whether a file that begins like this is a pickle, which no other format here is.
bool looks_like_lprof(std::string_view prefix);

// As line_profiler 5 adds files up, digit for digit: in the coarsest unit, lines in order.
// One file stays as it is. There must be one.
LprofFile sum_lprof(std::span<const LprofFile> files);

}  // namespace pyrometer

// What each line of each function cost, as line_profiler tells it: hits and time per line, and
// what sampling knows of the same lines.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "profile/profile.h"

namespace pyrometer {

struct LineFigures {
  std::uint32_t line = 0;
  std::int64_t hits = 0;
  std::optional<std::int64_t> returns{};  // hits inside a statement that had begun, where known
  std::int64_t time = 0;  // in units of the table, with everything that the line calls
  std::int64_t self = 0;  // likewise, without the measured functions that it calls
  // Sampled in the line itself or in native code that it calls: samples, and ns.
  std::int64_t samples = 0;
  std::int64_t python = 0;
  std::int64_t native = 0;  // and in the kernel
  std::int64_t wait = 0;
};

struct FunctionLines {
  std::string file;
  std::uint32_t first_line = 0;
  std::string name;                     // qualified
  std::vector<LineFigures> lines = {};  // by line; from a file of line_profiler in its order
  std::string engine = {};              // where it was not the usual one: "events", ...
  std::string reason = {};              // for that
};

struct FunctionLinesTable {
  std::vector<FunctionLines> functions;
  double unit = 1e-9;       // of times, in seconds
  bool is_sampled = false;  // hits are samples and times are estimates: nothing exact is there
  bool has_self = false;
  bool has_samples = false;  // of exact lines
};

// By file and line. Exact values where there are any, else what was sampled.
FunctionLinesTable make_function_lines(const Profile& profile);

}  // namespace pyrometer

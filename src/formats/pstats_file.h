// The content of a cProfile file (`python -m cProfile -o x.prof`, Profile.dump_stats):
// a marshalled dict that maps the label (file, line, name) of each function to
//     (primitive calls, calls, self, total, callers)
// and callers maps the label of each direct caller to the share it caused,
//     (calls, primitive calls, self, total)
// with the two counts the other way round: that is how cProfile writes and pstats reads them.
// The old `profile` module and sampled files have the number of calls only in that place.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace pyrometer {

struct PstatsCost {
  std::int64_t calls = 0;            // pstats' nc
  std::int64_t primitive_calls = 0;  // cc: those not made by the function's own recursion
  double self_seconds = 0;           // tt
  double total_seconds = 0;          // ct: with callees, recursion counted once

  friend bool operator==(const PstatsCost&, const PstatsCost&) = default;
};

struct PstatsCaller {
  std::uint32_t function = 0;  // the caller: an index in PstatsFile::functions
  PstatsCost cost = {};        // what the callee cost on behalf of this caller
  // False when the file has only the number of calls: the times are then zero and
  // primitive_calls repeats calls.
  bool has_times = true;

  friend bool operator==(const PstatsCaller&, const PstatsCaller&) = default;
};

struct PstatsFunction {
  std::string file;  // "~" for a built-in function
  std::int32_t line = 0;
  std::string name;  // may hold lone surrogates, as may file
  PstatsCost cost = {};
  std::vector<PstatsCaller> callers = {};
  // False when the file only names it as somebody's caller: pstats does not list it then.
  bool has_entry = true;

  friend bool operator==(const PstatsFunction&, const PstatsFunction&) = default;
};

// As read: labels are unique, each caller is named once, functions and callers come in the
// order of the file (with equal keys pstats lists in that order), times are finite. A file to be
// written needs finite times and valid indexes only.
struct PstatsFile {
  std::vector<PstatsFunction> functions;
  // Written by Python 3.15's profiling.sampling, where the numbers mean something else:
  // `calls` are the samples that saw the function on the stack, `primitive_calls` those
  // that saw it running, a caller's `calls` the samples that saw it directly above, times
  // are samples times the interval, and `line` is the line that ran, not the first one,
  // so that one function has as many entries as lines that were seen.
  bool sampled = false;

  friend bool operator==(const PstatsFile&, const PstatsFile&) = default;
};

// A caller without an entry of its own becomes a function of zeros after all others; entries
// with the same label are summed. Errors name the byte, the caller adds the file.
Result<PstatsFile> read_pstats(std::string_view bytes);

// Loads in the pstats of every Python 3; entries with the same label are summed, as the
// format can hold but one. The mark of a sampled file is understood from 3.15 on and
// refused before: clear `sampled` to write samples as if they were calls. pstats refuses
// a file without functions.
std::string write_pstats(const PstatsFile& file);

// Whether a file that begins like this can be a cProfile file.
bool looks_like_pstats(std::string_view prefix);

}  // namespace pyrometer

// The content of a callgrind file (valgrind, yappi, pyprof2calltree, xdebug): costs of functions
// and lines, and of calls from one function to another. There are no call paths.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace pyrometer {

struct CallgrindFile {
  struct Event {
    std::string name;       // "Ir"
    std::string long_name;  // "Instruction Fetch"; empty: not said
  };
  struct Function {
    std::uint32_t name = 0;  // a row of `texts`, as are the others
    std::uint32_t file = 0;
    std::uint32_t object = 0;
    std::uint32_t first_line = 0;  // the first of its own lines that the file names; 0: none
  };
  // What lines of a function cost by themselves; line 0 for those in other files (inlined code).
  struct LineCost {
    std::uint32_t function = 0;
    std::uint32_t line = 0;
  };
  struct Call {
    std::uint32_t caller = 0;
    std::uint32_t callee = 0;
    std::int64_t calls = 0;
  };

  std::string creator;
  std::string command;
  std::uint64_t pid = 0;
  std::vector<Event> events;
  std::vector<std::string> texts;  // row 0 is empty
  std::vector<Function> functions;
  std::vector<LineCost> lines;
  std::vector<std::int64_t> line_costs;  // events.size() for each of `lines`
  std::vector<Call> calls;
  std::vector<std::int64_t> call_costs;  // the inclusive costs, events.size() for each of `calls`
  std::vector<std::int64_t> summary;     // by event, of all parts; empty: not said

  std::span<const std::int64_t> costs_of_line(std::size_t row) const {
    return std::span(line_costs).subspan(row * events.size(), events.size());
  }
  std::span<const std::int64_t> costs_of_call(std::size_t row) const {
    return std::span(call_costs).subspan(row * events.size(), events.size());
  }
};

// Parts of one run (several dumps, threads) are added up. Costs take at most 512 MiB, all else less
// than 60 bytes per byte of the file. Errors name the line.
Result<CallgrindFile> read_callgrind(std::string_view bytes);

// Whether a file that begins like this is callgrind's: it must say what it counts ("events:").
bool looks_like_callgrind(std::string_view prefix);

}  // namespace pyrometer

// The file of `mprof run` (mprofile_*.dat): memory over time as lines of text,
//     CMDLINE python3 x.py
//     MEM <MiB> <seconds since 1970>
//     CHLD <number or pid of a child> <MiB> <seconds>
//     FUNC <name> <MiB before> <seconds> <MiB after> <seconds> [<level of the stack>]
// in any order. Lines of other kinds are left alone, as mprof does.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace pyrometer {

struct MprofPoint {
  std::int64_t time = 0;    // ns since 1970
  std::int64_t memory = 0;  // bytes

  friend bool operator==(const MprofPoint&, const MprofPoint&) = default;
};

struct MprofCall {
  std::string name;
  MprofPoint before, after;
  std::uint32_t level = 0;  // 0: the outermost
};

struct MprofChild {
  std::uint64_t number = 0;
  std::vector<MprofPoint> points;
};

struct MprofFile {
  std::string command_line;
  std::vector<MprofPoint> points;  // of the program itself
  std::vector<MprofChild> children;
  std::vector<MprofCall> calls;
};

// Errors name the line, the caller adds the file.
Result<MprofFile> read_mprof(std::string_view text);

// Times to a tenth of a millisecond.
std::string write_mprof(const MprofFile& file);

bool looks_like_mprof(std::string_view prefix);

}  // namespace pyrometer

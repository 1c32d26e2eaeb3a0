// Memory by source line, as memory_profiler tells it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "profile/profile.h"

namespace pyrometer {

struct MemoryLine {
  std::uint32_t line = 0;
  std::int64_t level = 0;      // bytes of the process after the line, the most that was seen
  std::int64_t increment = 0;  // bytes, over all visits
  std::int64_t hits = 0;       // 0 when not counted
  // Where memory was followed inside the line, not only at its ends.
  std::int64_t peak = 0;       // bytes, the most above what there was at its beginning
  std::int64_t temporary = 0;  // bytes that it allocated and freed again
};

struct MemoryFunction {
  FunctionId function;
  std::string file;
  std::uint32_t first_line = 0;
  std::string name;
  bool has_inside = false;  // whether lines have a peak and temporaries
  std::vector<MemoryLine> lines = {};
};

// By file and line; empty when memory of lines was not measured.
std::vector<MemoryFunction> make_memory_lines(const Profile& profile);

}  // namespace pyrometer

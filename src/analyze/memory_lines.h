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
};

struct MemoryFunction {
  std::string file;
  std::uint32_t first_line = 0;
  std::string name;
  std::vector<MemoryLine> lines = {};
};

// By file and line; empty when memory of lines was not measured.
std::vector<MemoryFunction> make_memory_lines(const Profile& profile);

}  // namespace pyrometer

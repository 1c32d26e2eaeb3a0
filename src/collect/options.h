// What `pyrometer run` asked for, from the environment it gave the program.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/file.h"
#include "base/region_target.h"

namespace pyrometer {

// Which memory is recorded with the line that made it: samples; every block of malloc and every
// mapping; also every object.
enum class MemoryMode : std::uint8_t { kNone, kSampled, kExact, kObjects };

struct AgentOptions {
  Path run_directory;
  std::string launch;
  std::string notices;         // socket that `pyrometer run` listens on; empty: nobody does
  std::string ranks;           // those to be recorded, as the user named them; empty: all
  std::int64_t rate = 200;     // samples per second of CPU time and thread
  bool rate_is_fixed = false;  // asked for by the user: obeyed, not adapted
  bool counts_calls = false;   // every call, instead of samples
  bool counts_all_callables = false;
  bool subtracts_cost = false;  // what counting calls costs
  bool throttles = false;       // fewer calls of cheap and frequent functions
  std::uint32_t timeline = 0;   // calls to keep one by one, per thread
  bool measures_lines = false;
  std::vector<std::string> line_targets;  // empty: decorated functions, else the program's own
  bool line_imports = false;              // also what the main module imports
  bool hot_lines = false;                 // also of the hottest functions
  MemoryMode memory = MemoryMode::kNone;
  bool counts_copies = false;         // beside memory, what memcpy copies
  std::vector<RegionTarget> regions;  // functions to be timed
  bool is_inside = false;             // the program began it in its middle, and may end it
  bool begins_paused = false;         // until the program says so
  bool use_perf = true;
  bool use_cpu_timers = true;
  bool use_traps = false;  // perf strikes by SIGTRAP
};

// Nothing when this process is not to be recorded.
std::optional<AgentOptions> read_agent_options();

}  // namespace pyrometer

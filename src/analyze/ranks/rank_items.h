// What the time of ranks is divided by: functions, lines, and the lines that call MPI. Derived
// from a profile's functions and positions alone, so that equal structures number them equally.
#pragma once

#include <cstdint>
#include <vector>

#include "profile/profile.h"

namespace pyrometer {

struct CodeLine {
  FunctionId function;
  std::uint32_t line = 0;  // 0: unknown
};

struct MpiCallLine {
  CodeLine caller;  // function none: called by no Python code
  FunctionId call;
  bool is_start = false;  // of MPI: nothing before it was recorded of all ranks
};

struct RankItems {
  static constexpr std::uint32_t kNone = ~0U;

  explicit RankItems(const Profile& profile);

  std::vector<CodeLine> lines;
  // By node: the line whose own time it is, which is its Python caller's for native code and
  // built-in functions. Every node has one, so own times of lines add up to everything.
  std::vector<std::uint32_t> line_of_node;
  std::vector<MpiCallLine> sites;
  std::vector<std::uint32_t> site_of_node;  // kNone for all but MPI functions
  std::vector<bool> is_outermost;           // by node: its function does not run further up
};

}  // namespace pyrometer

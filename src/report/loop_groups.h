// The loops of a program as groups of positions, found in its source text.
#pragma once

#include "analyze/groups.h"
#include "profile/source_lines.h"

namespace pyrometer {

struct LoopPlace {
  StringId file;
  std::uint32_t first = 0;  // line
  std::uint32_t last = 0;
  FunctionId function;  // that runs it
};

struct LoopGroups {
  PositionGroups positions;       // named "loop at wave.py:45-52 in f"
  std::vector<LoopPlace> places;  // by group
};

// Positions of functions that are not selected, and those whose source cannot be had, are in none.
LoopGroups group_loops(const Profile& profile, const Selection& selection, SourceLines& sources);

// Loops are sorted by what they cost with all they call, unless the user wants another order.
Selection loop_order(Selection selection);

}  // namespace pyrometer

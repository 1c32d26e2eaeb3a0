// Who allocated: the Python line that asked for memory, whatever native code stood in between.
#pragma once

#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "analyze/memory/memory_figures.h"

namespace pyrometer {

// A line of Python code; of memory that no Python code asked for, the native code without a line.
struct MemoryPlace {
  FunctionId function;
  std::uint32_t line = 0;  // 0: unknown, or the whole function
  friend auto operator<=>(const MemoryPlace&, const MemoryPlace&) = default;
};

// By node, whose memory it is.
std::vector<MemoryPlace> memory_places(const Profile& profile);

struct MemorySite {
  MemoryPlace place;
  MemoryFigures figures;
  // Of a library's code, the user's line that most of it is for; none: no such line. Most of what
  // the sites are sorted by, or else of the peak.
  MemoryPlace caller = {};
  MemoryFigures for_caller = {};
  std::vector<std::pair<MemoryPlace, MemoryFigures>> callers = {};  // all of them
};

enum class MemoryUnit { kLine, kFunction };

// Those with any figure, by place.
std::vector<MemorySite> memory_sites(const Profile& profile, MemoryUnit unit);

// The largest first, without those that have none of it.
void sort_by(std::vector<MemorySite>& sites, MemoryFigure figure);

// A way to an allocation, and what it allocated there.
struct MemoryPath {
  std::vector<MemoryPlace> frames;  // the outermost first
  MemoryFigures figures;
};

// Those with the most of a figure, at most so many, to places that are wanted.
using IsPlaceWanted = std::function<bool(const MemoryPlace&)>;
std::vector<MemoryPath> memory_paths(const Profile& profile, MemoryFigure figure, std::size_t most,
                                     const IsPlaceWanted& is_wanted);

}  // namespace pyrometer

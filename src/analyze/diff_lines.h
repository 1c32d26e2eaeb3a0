// Which line of a function is which after somebody has edited it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace pyrometer {

struct LineOfFunction {
  std::int64_t offset = 0;  // from the function's first line
  std::string text = {};    // without indentation; empty where the source is not known
};

struct LinePair {
  std::optional<std::size_t> before = {}, after = {};  // where they stand; at least one
  bool is_edited = false;  // at the same place among equal lines, with another text
};

// By text where it is known: the longest common subsequence, and between equal lines as many edited
// ones as there are on both sides. Else by distance from the function's first line. Both sides
// come in the order of their lines, and so does the result.
std::vector<LinePair> match_lines(std::span<const LineOfFunction> before,
                                  std::span<const LineOfFunction> after);

}  // namespace pyrometer

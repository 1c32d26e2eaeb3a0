// The loops of a Python source file.
#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <string>
#include <vector>

namespace pyrometer {

struct Loop {
  static constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();
  bool is_comprehension = false;  // or a generator expression
  std::size_t first = 0;          // line, from 1: its head
  std::size_t last = 0;           // line, from 1: the last of its body, without an else
  std::size_t parent = kNone;     // the loop around it in the same function, an earlier one
};

struct FileLoops {
  std::vector<Loop> loops;           // by first line, outer ones before inner ones
  std::vector<std::size_t> of_line;  // by line, from 1: the innermost loop, or Loop::kNone
};

// The body of a function is in no loop around the function: it runs when it is called.
FileLoops find_loops(std::span<const std::string> lines);

}  // namespace pyrometer

// Which lines of a source file belong to a function, and which of them to one statement.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace pyrometer {

// How many of the lines are the function or class that begins at the first of them, decorators
// included: as Python's inspect.getblock counts them, and for Cython as line_profiler does.
std::size_t block_size(std::span<const std::string> lines);

// For each line the first line of the statement that it is part of, both from 0. A compound
// statement is its head alone.
std::vector<std::size_t> statement_starts(std::span<const std::string> lines);

}  // namespace pyrometer

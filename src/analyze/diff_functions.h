// The functions of one version with their rows over all its runs, and which is which in the other.
// A function is known by its file and qualified name: its line moves when code above it is edited.
// Where one version has no qualified names, as in files of cProfile, it is known by its file and
// the last part of the name, and the line tells those apart that have both in common.
#pragma once

#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "analyze/diff.h"
#include "analyze/diff_noise.h"

namespace pyrometer {

struct SideRow {
  CostRow row;  // as it was first seen
  Estimate value;
  double hits = 0;  // the mean
};

struct SideFunction {
  std::string file = {};
  std::string name = {};
  std::uint32_t first_line = 0;
  std::vector<SideRow> rows = {};  // by line; one row when functions are compared
};

// What one sample stands for; 0 when nothing was sampled.
double quantum_of(const CostTable& run);

// By file, name and first line.
std::vector<SideFunction> functions_of(const DiffSide& side);

// The value of a row that none of the runs has: not seen is not the same as zero.
Estimate estimate_nothing(const DiffSide& side);

enum class KnownNames : std::uint8_t { kQualified, kLastParts };
KnownNames names_to_compare(const DiffSide& before, const DiffSide& after);

// Positions in both, at least one of each pair.
using FunctionPair = std::pair<std::optional<std::size_t>, std::optional<std::size_t>>;
std::vector<FunctionPair> match_functions(std::span<const SideFunction> before,
                                          std::span<const SideFunction> after, KnownNames names);

}  // namespace pyrometer

// From values of positions to values of functions, again and again over one call tree. A function
// that calls itself counts once, so that no function costs more than everything.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "analyze/call_graph.h"
#include "profile/profile.h"

namespace pyrometer {

class FunctionSums {
 public:
  explicit FunctionSums(const Profile& profile);

  // From self values by node: the functions with any, by row.
  std::vector<FunctionCost> of(std::span<const std::int64_t> self, Combine combine) const;

  // What each function cost, from the values of some positions: with what it calls or without. Adds
  // to `sums` by function. As few steps as either the positions or the whole tree needs.
  void add(std::span<const Cell> cells, bool total, Combine combine, std::span<std::int64_t> sums);

 private:
  const Profile& profile_;
  std::vector<bool> is_outermost_;   // by node: its function is not running further up
  double mean_depth_ = 1;            // of positions
  std::vector<std::int64_t> space_;  // by node, all zero between calls
};

}  // namespace pyrometer

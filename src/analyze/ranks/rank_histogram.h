// How the ranks of a job are spread between the smallest and the largest value.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "analyze/ranks/rank_facts.h"

namespace pyrometer {

inline constexpr std::size_t kRankBins = 20;

struct RankHistogram {
  double from = 0;
  double to = 0;
  std::vector<std::size_t> counts;  // of ranks, in bins of equal width; one where all are equal
};

RankHistogram make_histogram(std::span<const double> values);

// Of one row of a table. Ranks whose values weigh nothing share what is left of the sum.
RankHistogram make_histogram(const RankTable& table, std::uint32_t item, std::size_t ranks);

}  // namespace pyrometer

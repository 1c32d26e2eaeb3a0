// How unevenly functions and lines are spread over ranks: a job is as slow as its slowest rank,
// so what that rank has beyond the mean is what evening out could save.
#pragma once

#include <cstdint>
#include <vector>

#include "analyze/ranks/rank_facts.h"

namespace pyrometer {

struct Imbalance {
  std::uint32_t item = 0;  // a function, or a row of RankItems::lines
  double mean = 0;         // ns
  double deviation = 0;
  std::int64_t minimum = 0;
  std::int64_t maximum = 0;
  std::uint32_t minimum_rank = 0;  // row
  std::uint32_t maximum_rank = 0;
  double factor = 1;       // the maximum over the mean
  double cost = 0;         // ns, the maximum beyond the mean
  double share = 0;        // the cost of the time of the job
  bool is_certain = true;  // sampling noise does not explain it
};

// Those with a value, by cost. `subject` is one of useful time.
std::vector<Imbalance> find_imbalances(const RankFacts& facts, RankSubject subject);

// Whether the largest of so many values says more than which rank was sampled most often. Among
// R Poisson numbers around k, the largest is about sqrt(2 k ln R) above; three more deviations
// are left for the tail. Ticks come more evenly than that, so this errs on the side of silence.
bool is_beyond_sampling_noise(const AcrossRanks& statistics, std::size_t ranks);

// Whether it is certain, large enough to matter and larger than what machines differ by.
bool is_worth_saying(const RankFacts& facts, const Imbalance& imbalance);

// The rank that has the least, as a row: where some have nothing, the first of those whose
// values are known to be nothing, else that of the least value.
std::uint32_t rank_with_least(const RankTable& table, std::uint32_t item, std::size_t ranks);

}  // namespace pyrometer

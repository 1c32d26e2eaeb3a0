// What the ranks of a job say about one thing: a rank without it counts as zero. All sums are
// exact integers, so that nothing depends on the order in which ranks are added.
#pragma once

#include <cmath>
#include <cstdint>

namespace pyrometer {

struct AcrossRanks {
  unsigned __int128 sum = 0;
  unsigned __int128 squares = 0;  // their sum; stays at its largest instead of overflowing
  std::int64_t maximum = 0;
  std::int64_t least = 0;          // of the ranks that have any
  std::uint32_t maximum_rank = 0;  // row; the first that has it
  std::uint32_t least_rank = 0;
  std::uint32_t ranks = 0;           // that have any
  std::int64_t samples = 0;          // that the values are made of
  std::int64_t maximum_samples = 0;  // of the rank with the maximum

  // `value` is above zero.
  void add(std::uint32_t rank, std::int64_t value, std::int64_t sample_count);
  void add(const AcrossRanks& other);

  bool is_empty() const { return ranks == 0; }
  double total() const { return static_cast<double>(sum); }
  double mean(std::size_t count) const { return total() / static_cast<double>(count); }
  double deviation(std::size_t count) const;
  std::int64_t minimum(std::size_t count) const { return ranks < count ? 0 : least; }
  // The maximum over the mean: 1 when all ranks have the same.
  double imbalance(std::size_t count) const;
  // What the slowest rank has beyond the mean, in ns.
  double cost(std::size_t count) const { return static_cast<double>(maximum) - mean(count); }
  // On how many ranks it happens, counting those less that have less of it.
  double effective_ranks() const;
  friend bool operator==(const AcrossRanks&, const AcrossRanks&) = default;
};

}  // namespace pyrometer

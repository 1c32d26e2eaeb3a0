#include "analyze/ranks/across_ranks.h"

#include <algorithm>

namespace pyrometer {
namespace {

unsigned __int128 limited_sum(unsigned __int128 a, unsigned __int128 b) {
  const unsigned __int128 sum = a + b;
  return sum < a ? ~static_cast<unsigned __int128>(0) : sum;
}

}  // namespace

void AcrossRanks::add(std::uint32_t rank, std::int64_t value, std::int64_t sample_count) {
  const auto wide = static_cast<unsigned __int128>(value);
  add(AcrossRanks{.sum = wide,
                  .squares = wide * wide,
                  .maximum = value,
                  .least = value,
                  .maximum_rank = rank,
                  .least_rank = rank,
                  .ranks = 1,
                  .samples = sample_count,
                  .maximum_samples = sample_count});
}

void AcrossRanks::add(const AcrossRanks& other) {
  if (other.is_empty()) return;
  if (is_empty()) {
    *this = other;
    return;
  }
  sum += other.sum;
  squares = limited_sum(squares, other.squares);
  samples += other.samples;
  ranks += other.ranks;
  const bool is_larger = other.maximum > maximum;
  if (is_larger || (other.maximum == maximum && other.maximum_rank < maximum_rank)) {
    maximum = other.maximum;
    maximum_rank = other.maximum_rank;
    maximum_samples = other.maximum_samples;
  }
  if (other.least < least || (other.least == least && other.least_rank < least_rank)) {
    least = other.least;
    least_rank = other.least_rank;
  }
}

double AcrossRanks::deviation(std::size_t count) const {
  const double average = mean(count);
  const double variance =
      static_cast<double>(squares) / static_cast<double>(count) - average * average;
  return std::sqrt(std::max(0.0, variance));
}

double AcrossRanks::imbalance(std::size_t count) const {
  return is_empty() ? 1 : static_cast<double>(maximum) / mean(count);
}

double AcrossRanks::effective_ranks() const {
  return is_empty() ? 0 : total() * (total() / static_cast<double>(squares));
}

}  // namespace pyrometer

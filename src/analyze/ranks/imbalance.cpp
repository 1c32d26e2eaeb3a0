#include "analyze/ranks/imbalance.h"

#include <algorithm>
#include <cmath>

namespace pyrometer {
namespace {

constexpr double kLeastShare = 0.02;   // of the time of the job
constexpr double kLeastFactor = 1.10;  // cores differ by less
// Where ranks share cores, caches and hyperthreads make equal work take unequal CPU time.
constexpr double kLeastFactorOnSharedCores = 1.25;

}  // namespace

bool is_beyond_sampling_noise(const AcrossRanks& statistics, std::size_t ranks) {
  if (statistics.is_empty()) return false;
  const auto count = static_cast<double>(ranks);
  const double factor = statistics.imbalance(ranks);
  // What the mean would have been made of at the rate of the rank with the maximum: rates may
  // differ.
  const double expected = std::min(static_cast<double>(statistics.samples) / count,
                                   static_cast<double>(statistics.maximum_samples) / factor);
  if (expected <= 0) return false;
  const double excess = expected * (factor - 1);
  return excess > std::sqrt(2 * expected * std::log(count)) + 3 * std::sqrt(expected);
}

std::uint32_t rank_with_least(const RankTable& table, std::uint32_t item, std::size_t ranks) {
  const AcrossRanks& statistics = table.items[item];
  if (statistics.ranks >= ranks) return statistics.least_rank;
  std::uint32_t next = 0;
  for (const RankCell& cell : table.row(item)) {
    if (cell.rank != next) break;
    ++next;
  }
  return std::min(next, static_cast<std::uint32_t>(ranks - 1));
}

std::vector<Imbalance> find_imbalances(const RankFacts& facts, RankSubject subject) {
  const std::size_t ranks = facts.ranks();
  const auto job = static_cast<double>(facts.list.job_time());
  const RankTable& table = facts.table(subject);
  std::vector<Imbalance> found;
  for (std::size_t i = 0; i < table.items.size(); ++i) {
    const AcrossRanks& statistics = table.items[i];
    if (statistics.is_empty()) continue;
    const auto item = static_cast<std::uint32_t>(i);
    found.push_back(
        {.item = item,
         .mean = statistics.mean(ranks),
         .deviation = statistics.deviation(ranks),
         .minimum = statistics.minimum(ranks),
         .maximum = statistics.maximum,
         .minimum_rank = rank_with_least(table, item, ranks),
         .maximum_rank = statistics.maximum_rank,
         .factor = statistics.imbalance(ranks),
         .cost = statistics.cost(ranks),
         .share = job > 0 ? statistics.cost(ranks) / job : 0,
         .is_certain = !facts.metric.is_sampled || is_beyond_sampling_noise(statistics, ranks)});
  }
  std::sort(found.begin(), found.end(), [](const Imbalance& a, const Imbalance& b) {
    if (a.cost != b.cost) return a.cost > b.cost;
    // Callers have the imbalance of their callees: the innermost is what it is about.
    return a.mean != b.mean ? a.mean < b.mean : a.item < b.item;
  });
  return found;
}

bool is_worth_saying(const RankFacts& facts, const Imbalance& imbalance) {
  const bool shares_cores = facts.list.sharing != CoreSharing::kNone;
  const double least = shares_cores ? kLeastFactorOnSharedCores : kLeastFactor;
  return facts.ranks() > 1 && imbalance.is_certain && imbalance.share >= kLeastShare &&
         imbalance.factor >= least;
}

}  // namespace pyrometer

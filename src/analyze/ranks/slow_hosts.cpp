#include "analyze/ranks/slow_hosts.h"

#include <algorithm>
#include <cmath>

namespace pyrometer {
namespace {

constexpr double kMuchSlower = 1.10;
constexpr double kDeviations = 5;
constexpr double kEverywhere = 0.9;  // of the ranks run a line that hosts are compared by

// The lower one of two: where half of the ranks are slow, the others are the measure.
double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// By rank: the times of each line that most ranks run, over their median.
std::vector<std::vector<double>> relative_times(const RankFacts& facts) {
  std::vector<std::vector<double>> times(facts.ranks());
  const RankTable& table = facts.table(RankSubject::kLine);
  const double enough = kEverywhere * static_cast<double>(facts.ranks());
  for (std::size_t i = 0; i < table.items.size(); ++i) {
    if (static_cast<double>(table.items[i].ranks) < enough) continue;
    const auto cells = table.row(static_cast<std::uint32_t>(i));
    if (static_cast<double>(cells.size()) < enough) continue;
    std::vector<double> values;
    for (const RankCell& cell : cells) values.push_back(static_cast<double>(cell.value));
    const double middle = median(values);
    for (const RankCell& cell : cells) {
      times[cell.rank].push_back(static_cast<double>(cell.value) / middle);
    }
  }
  return times;
}

}  // namespace

std::vector<SlowHost> find_slow_hosts(const RankFacts& facts) {
  if (facts.list.hosts.size() < 2 || facts.list.sharing != CoreSharing::kNone) return {};
  const auto times = relative_times(facts);
  std::vector<std::vector<double>> of_host(facts.list.hosts.size());
  std::size_t lines = 0;
  for (std::size_t i = 0; i < times.size(); ++i) {
    lines = std::max(lines, times[i].size());
    if (!times[i].empty()) of_host[facts.list.ranks[i].host].push_back(median(times[i]));
  }
  // How far ranks are from what is usual on their host: work that differs by rank is no slow host.
  std::vector<double> distances;
  std::vector<double> factors;
  for (const auto& ranks : of_host) {
    factors.push_back(ranks.size() < 2 ? 1 : median(ranks));
    for (const double each : ranks) distances.push_back(std::abs(each - factors.back()));
  }
  std::vector<SlowHost> slow;
  if (distances.empty()) return slow;
  const double usual_distance = median(distances);
  for (std::size_t i = 0; i < factors.size(); ++i) {
    const double beyond = factors[i] - 1;
    if (factors[i] < kMuchSlower || beyond <= kDeviations * usual_distance) continue;
    slow.push_back({static_cast<std::uint32_t>(i), factors[i], lines});
  }
  return slow;
}

}  // namespace pyrometer

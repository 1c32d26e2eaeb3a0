#include "analyze/ranks/mpi_waits.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace pyrometer {
namespace {

constexpr std::size_t kMostCulprits = 16;
constexpr double kLeastShareOfCulprits = 0.005;  // less waiting needs no explanation
constexpr double kAboutTheSame = 0.05;           // of the longest wait
constexpr double kExplains = 0.25;               // of what the others wait
constexpr double kLeastCorrelation = 0.5;
constexpr std::size_t kEnoughToCorrelate = 4;

using Values = std::vector<double>;

double mean_of(const Values& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double correlation(const Values& a, const Values& b) {
  const double mean_a = mean_of(a);
  const double mean_b = mean_of(b);
  double both = 0;
  double of_a = 0;
  double of_b = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    both += (a[i] - mean_a) * (b[i] - mean_b);
    of_a += (a[i] - mean_a) * (a[i] - mean_a);
    of_b += (b[i] - mean_b) * (b[i] - mean_b);
  }
  return of_a > 0 && of_b > 0 ? both / std::sqrt(of_a * of_b) : 0;
}

// What a rank has beyond the mean of the others.
double excess_of(const Values& values, std::uint32_t rank) {
  const auto others = static_cast<double>(values.size() - 1);
  const double all = std::accumulate(values.begin(), values.end(), 0.0);
  return values[rank] - (all - values[rank]) / others;
}

// Who waits least; of several that hardly wait, who works most.
std::uint32_t last_to_come(const RankList& list, const Values& waits) {
  const double least = *std::min_element(waits.begin(), waits.end());
  const double most = *std::max_element(waits.begin(), waits.end());
  std::uint32_t last = 0;
  std::int64_t useful = -1;
  for (std::size_t i = 0; i < waits.size(); ++i) {
    if (waits[i] > least + kAboutTheSame * most || list.ranks[i].useful <= useful) continue;
    last = static_cast<std::uint32_t>(i);
    useful = list.ranks[i].useful;
  }
  return last;
}

std::optional<Culprit> find_culprit(const RankFacts& facts, std::uint32_t site) {
  if (facts.ranks() < 2) return std::nullopt;
  const Values waits = facts.table(RankSubject::kMpiWait).values(site, facts.ranks());
  const std::uint32_t rank = last_to_come(facts.list, waits);
  // Where ranks share cores, waits last longer than the work that is waited for.
  const double stretch = facts.list.wall > 0 ? static_cast<double>(facts.list.job_time()) /
                                                   static_cast<double>(facts.list.wall)
                                             : 1;
  const double wait_of_others = -excess_of(waits, rank) * stretch;
  const RankTable& lines = facts.table(RankSubject::kLine);
  std::optional<Culprit> best;
  for (std::size_t i = 0; i < lines.items.size(); ++i) {
    const auto line = static_cast<std::uint32_t>(i);
    const auto most = static_cast<double>(lines.items[i].maximum);
    // No value is large enough: no need to look at each.
    if (most < kExplains * wait_of_others || (best && most <= best->excess)) continue;
    const Values values = lines.values(line, facts.ranks());
    const double excess = excess_of(values, rank);
    if (excess < kExplains * wait_of_others || (best && excess <= best->excess)) continue;
    if (facts.ranks() >= kEnoughToCorrelate && -correlation(values, waits) < kLeastCorrelation) {
      continue;
    }
    best = {rank, line, excess};
  }
  return best && best->excess > 0 ? best : std::nullopt;
}

}  // namespace

std::vector<MpiSiteCost> find_mpi_sites(const RankFacts& facts) {
  const double all = static_cast<double>(facts.list.wall) * static_cast<double>(facts.ranks());
  std::vector<MpiSiteCost> sites;
  for (std::size_t i = 0; i < facts.items.sites.size(); ++i) {
    const auto site = static_cast<std::uint32_t>(i);
    const double wait = facts.of(RankSubject::kMpiWait, site).total();
    sites.push_back({.site = site,
                     .calls = facts.site_calls[i],
                     .bytes = facts.site_bytes[i],
                     .time = facts.of(RankSubject::kMpiTime, site).total(),
                     .wait = wait,
                     .share = all > 0 ? wait / all : 0});
  }
  std::stable_sort(sites.begin(), sites.end(), [](const MpiSiteCost& a, const MpiSiteCost& b) {
    return a.wait != b.wait ? a.wait > b.wait : a.time > b.time;
  });
  for (std::size_t i = 0; i < std::min(kMostCulprits, sites.size()); ++i) {
    if (sites[i].share < kLeastShareOfCulprits) break;
    // Who comes last to the start of MPI started last; no line of the program is to blame.
    if (facts.items.sites[sites[i].site].is_start) continue;
    sites[i].culprit = find_culprit(facts, sites[i].site);
  }
  return sites;
}

}  // namespace pyrometer

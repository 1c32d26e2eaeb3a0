#include "analyze/ranks/serial_lines.h"

#include <algorithm>

namespace pyrometer {
namespace {

constexpr double kMostEffectiveRanks = 1.5;
// Of so few ranks, one with little work would pass for one with none.
constexpr std::size_t kFewRanks = 4;
constexpr double kMostEffectiveOfFew = 1.1;
constexpr double kLeastShare = 0.01;
constexpr std::int64_t kLeastSamples = 10;
constexpr double kMostlyWaiting = 0.8;

// What half of the other ranks did not work for at least.
double idle_time_of_others(const RankList& list, std::uint32_t rank) {
  std::vector<double> idle;
  for (std::size_t i = 0; i < list.ranks.size(); ++i) {
    if (i != rank) idle.push_back(static_cast<double>(list.job_time() - list.ranks[i].useful));
  }
  const auto middle = idle.begin() + static_cast<std::ptrdiff_t>(idle.size() / 2);
  std::nth_element(idle.begin(), middle, idle.end());
  return *middle;
}

// A few samples do not tell much alone, but they do beside a line of the same function.
void add_lines_beside(const RankFacts& facts, const std::vector<SerialLine>& doubtful,
                      std::vector<SerialLine>& lines) {
  const auto& places = facts.items.lines;
  const auto sure_end = static_cast<std::ptrdiff_t>(lines.size());
  for (const SerialLine& each : doubtful) {
    const bool is_beside =
        std::any_of(lines.begin(), lines.begin() + sure_end, [&](const SerialLine& sure) {
          return sure.rank == each.rank && places[sure.line].function == places[each.line].function;
        });
    if (is_beside) lines.push_back(each);
  }
}

}  // namespace

SerialLines find_serial_lines(const RankFacts& facts) {
  SerialLines found;
  std::vector<SerialLine> doubtful;
  const auto job = static_cast<double>(facts.list.job_time());
  if (facts.ranks() < 2 || job <= 0) return found;
  const double most = facts.ranks() < kFewRanks ? kMostEffectiveOfFew : kMostEffectiveRanks;
  const RankTable& table = facts.table(RankSubject::kLine);
  for (std::size_t i = 0; i < table.items.size(); ++i) {
    const AcrossRanks& line = table.items[i];
    const double share = static_cast<double>(line.maximum) / job;
    if (share < kLeastShare || line.effective_ranks() > most) continue;
    const SerialLine serial{static_cast<std::uint32_t>(i), line.maximum_rank, line.maximum, share};
    const bool may_be_chance = facts.list.is_sampled && line.maximum_samples < kLeastSamples;
    (may_be_chance ? doubtful : found.lines).push_back(serial);
  }
  add_lines_beside(facts, doubtful, found.lines);
  std::sort(found.lines.begin(), found.lines.end(), [](const SerialLine& a, const SerialLine& b) {
    return a.time != b.time ? a.time > b.time : a.line < b.line;
  });
  // One rank that manages the others works beside them, not before them.
  std::erase_if(found.lines, [&](const SerialLine& line) {
    return idle_time_of_others(facts.list, line.rank) <
           kMostlyWaiting * static_cast<double>(line.time);
  });
  for (const SerialLine& line : found.lines) found.share += line.share;
  return found;
}

}  // namespace pyrometer

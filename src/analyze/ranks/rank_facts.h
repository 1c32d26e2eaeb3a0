// All that the analyses of ranks start from: figures of each rank, statistics over ranks of each
// function, line and MPI call, and the values of those ranks for which they weigh something. A
// merged file of ten thousand ranks keeps them, so that nothing has to be read again.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analyze/ranks/across_ranks.h"
#include "analyze/ranks/rank_items.h"
#include "analyze/ranks/rank_list.h"
#include "base/result.h"

namespace pyrometer {

enum class RankSubject : std::uint8_t {
  kTotal,    // of functions with what they call; by function
  kOwn,      // without Python functions that they call; by function
  kLine,     // lines, likewise; by row of RankItems::lines
  kMpiTime,  // time in MPI; by row of RankItems::sites
  kMpiWait,  // waiting in MPI, likewise
};
inline constexpr std::size_t kRankSubjects = 5;

struct RankCell {
  std::uint32_t item = 0;
  std::uint32_t rank = 0;  // row
  std::int64_t value = 0;
  friend bool operator==(const RankCell&, const RankCell&) = default;
};

struct RankTable {
  std::vector<AcrossRanks> items;
  // By item, then rank: of each rank its kMostCells largest values, from kWeighs of what it has in
  // all on.
  std::vector<RankCell> cells;

  std::span<const RankCell> row(std::uint32_t item) const;
  // One value per rank; zero where it weighs nothing.
  std::vector<double> values(std::uint32_t item, std::size_t ranks) const;
};
void sort_cells(RankTable& table);

// A line below half a per cent of a rank's time explains nothing about that rank.
inline constexpr std::int64_t kWeighs = 200;  // one part in so many
inline constexpr std::size_t kMostCells = 64;

// What the tables of functions and lines are of, where it is not useful time.
struct RankMetric {
  std::string name = "useful";
  Unit unit = Unit::kNanoseconds;
  std::optional<MetricId> id = {};  // none: useful time
  bool is_sampled = false;
};

struct RankFacts {
  RankMetric metric;
  RankList list;
  RankItems items;
  std::array<RankTable, kRankSubjects> tables;
  std::vector<std::int64_t> site_calls;  // by row of RankItems::sites, of all ranks
  std::vector<std::int64_t> site_bytes;

  std::size_t ranks() const { return list.ranks.size(); }
  const RankTable& table(RankSubject subject) const {
    return tables[static_cast<std::size_t>(subject)];
  }
  const AcrossRanks& of(RankSubject subject, std::uint32_t item) const {
    return table(subject).items[item];
  }
  std::int64_t number(std::uint32_t rank) const { return list.ranks[rank].number; }
};

// With all tables empty, from a profile that need not have values.
RankFacts make_empty_facts(const Profile& profile);

// From a profile with its values. Useful time unless another metric is given, which must be one
// that adds up.
RankFacts make_rank_facts(const Profile& profile, std::optional<MetricId> metric = {});

// The figures of tables, for a merged file; ranks and items are in the file anyway.
std::string write_rank_facts(const RankFacts& facts);
Result<RankFacts> read_rank_facts(const Profile& profile, std::string_view bytes);

}  // namespace pyrometer

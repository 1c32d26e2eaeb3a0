// What `pyrometer ranks` says: the ranks of a job, and functions, lines and MPI calls across them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyze/overview.h"
#include "analyze/ranks/imbalance.h"
#include "base/pattern.h"

namespace pyrometer {

// What rows are sorted by, the largest first.
enum class RankOrder : std::uint8_t { kCost, kImbalance, kMean, kMaximum, kDeviation };
std::string_view name_of(RankOrder order);

struct RanksReportOptions {
  bool lines = false;  // views; none: functions, MPI calls and some ranks
  bool mpi = false;
  bool hosts = false;
  bool all_ranks = false;
  std::vector<Pattern> functions = {};    // that are shown rank by rank
  std::optional<std::int64_t> rank = {};  // whose functions are shown
  RankOrder order = RankOrder::kCost;
  std::optional<std::size_t> limit = {};  // rows
  double least_share = 0;                 // of the job, of what the rank with the most has in a row
  bool use_color = false;

  bool has_views() const {
    return lines || mpi || hosts || all_ranks || !functions.empty() || rank.has_value();
  }
};

// `overview` has facts about at least one rank, and the rank that the options name is one of them.
std::string ranks_text(const Overview& overview, const RanksReportOptions& options);
// docs/ranks.schema.json describes it.
std::string ranks_json(const Overview& overview, const RanksReportOptions& options);

// Functions or lines across ranks, sorted and without small rows, not yet limited.
std::vector<Imbalance> select_rank_rows(const Overview& overview, RankSubject subject,
                                        const RanksReportOptions& options);
// The rows of RankSubject::kTotal whose function matches.
std::vector<Imbalance> select_rank_functions(const Overview& overview,
                                             const RanksReportOptions& options);

}  // namespace pyrometer

// Makes RankFacts from the values of one process after the other, in any order and in memory
// that does not grow with them. Several collectors may share the processes of a job among them:
// combined, they give the same facts bit by bit.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analyze/ranks/rank_facts.h"
#include "profile/profile.h"

namespace pyrometer {

class RankCollector {
 public:
  // `structure` has functions, positions, metrics, all processes and their totals, but need not
  // have values; it must outlive the collector.
  explicit RankCollector(const Profile& structure, std::optional<MetricId> metric = {});

  // The metrics that it wants cells of; others may be left empty.
  std::vector<MetricId> metrics() const;

  // Each process once, with the values of its threads.
  void add(ProcessId process, std::span<const ThreadCells* const> threads);

  // `other` has got other processes of the same structure.
  void combine(RankCollector&& other);
  // The same between programs: what this one has got so far, as bytes for another one.
  std::string partial() const;
  Result<void> absorb(std::string_view partial);

  // When all processes have been added.
  RankFacts finish();

 private:
  enum Wanted : std::size_t {
    kTime,
    kWithout,
    kSamples,
    kMpiTime,
    kMpiWait,
    kMpiCalls,
    kMpiBytes,
    kWanted
  };
  // By what is wanted; one list of cells per thread.
  using Cells = std::array<std::vector<std::span<const Cell>>, kWanted>;
  // Of a rank that waits for more of its processes.
  struct Pending {
    std::size_t processes = 0;
    std::array<std::vector<Cell>, kWanted> cells;
  };
  // The values of one rank by item, and back to zero for the next.
  struct Sums {
    std::vector<std::int64_t> values, samples;
    explicit Sums(std::size_t items) : values(items), samples(items) {}
  };

  void add_tables(const RankFacts& other);
  void add_pending(std::uint32_t rank, Pending&& pending);
  void add_rank(std::uint32_t rank, const Cells& cells);
  void add_mpi(std::uint32_t rank, const Cells& cells);
  void spread_over_lines();
  void spread_over_functions();
  void take(std::uint32_t rank, RankSubject subject, Sums& sums, std::int64_t whole);

  const Profile& structure_;
  std::array<std::optional<MetricId>, kWanted> wanted_;
  RankFacts facts_;
  std::map<std::uint32_t, Pending> pending_;  // by row of ranks
  Sums nodes_, functions_, lines_, sites_;
};

}  // namespace pyrometer

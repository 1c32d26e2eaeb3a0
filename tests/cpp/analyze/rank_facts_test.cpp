// Facts about ranks: sums, extremes, children, recursion, MPI, parts that are put together.
#include "analyze/ranks/rank_facts.h"

#include <gtest/gtest.h>

#include <limits>
#include <random>

#include "analyze/ranks/rank_collector.h"
#include "support/job_profile.h"

namespace pyrometer {
namespace {

using testing::JobProfile;
using testing::kSecond;

std::uint32_t function_named(const Profile& profile, std::string_view name) {
  for (std::size_t i = 0; i < profile.functions.size(); ++i) {
    if (profile.text(profile.functions[i].name) == name) return static_cast<std::uint32_t>(i);
  }
  ADD_FAILURE() << name;
  return 0;
}

std::uint32_t line_at(const Profile& profile, const RankFacts& facts, std::string_view name,
                      std::uint32_t line) {
  const FunctionId function(function_named(profile, name));
  for (std::size_t i = 0; i < facts.items.lines.size(); ++i) {
    const CodeLine& place = facts.items.lines[i];
    if (place.function == function && place.line == line) return static_cast<std::uint32_t>(i);
  }
  ADD_FAILURE() << name << ":" << line;
  return 0;
}

TEST(RankFacts, StatisticsOfAFunctionAndARankThatHasNothing) {
  JobProfile job({.ranks = 4});
  job.work(0, "main:1;solve:61", kSecond).work(1, "main:1;solve:61", 2 * kSecond);
  job.work(3, "main:1;solve:61", 3 * kSecond).work(2, "main:1", kSecond);
  const Profile profile = job.finish();
  const RankFacts facts = make_rank_facts(profile);
  const auto& solve = facts.of(RankSubject::kTotal, function_named(profile, "solve"));
  EXPECT_DOUBLE_EQ(solve.mean(4), 1.5e9);
  EXPECT_EQ(solve.minimum(4), 0);
  EXPECT_EQ(solve.maximum, 3 * kSecond);
  EXPECT_EQ(solve.maximum_rank, 3U);
  EXPECT_EQ(solve.ranks, 3U);
  EXPECT_EQ(solve.samples, 1200);
  EXPECT_EQ(solve.maximum_samples, 600);
  EXPECT_DOUBLE_EQ(solve.imbalance(4), 2);
  EXPECT_DOUBLE_EQ(solve.cost(4), 1.5e9);
  EXPECT_NEAR(solve.deviation(4), 1.118033989e9, 10);
  EXPECT_NEAR(solve.effective_ranks(), 36.0 / 14, 1e-12);
  const auto& main = facts.of(RankSubject::kTotal, function_named(profile, "main"));
  EXPECT_EQ(main.ranks, 4U);
  EXPECT_EQ(main.minimum(4), kSecond);
  const auto& own = facts.of(RankSubject::kOwn, function_named(profile, "main"));
  EXPECT_EQ(own.ranks, 1U);
  EXPECT_EQ(facts.list.busiest, 3 * kSecond);
  EXPECT_EQ(facts.list.useful, 7 * kSecond);
}

TEST(RankFacts, NativeCodeCountsForTheLineThatCallsItAndRecursionOnce) {
  JobProfile job({.ranks = 2});
  job.work(0, "main:1;walk:5;walk:5;@libblas.so", kSecond);
  job.work(1, "main:1;walk:5", 2 * kSecond);
  const Profile profile = job.finish();
  const RankFacts facts = make_rank_facts(profile);
  EXPECT_EQ(facts.of(RankSubject::kTotal, function_named(profile, "walk")).maximum, 2 * kSecond);
  EXPECT_DOUBLE_EQ(facts.of(RankSubject::kTotal, function_named(profile, "walk")).total(), 3e9);
  const std::uint32_t line = line_at(profile, facts, "walk", 5);
  EXPECT_DOUBLE_EQ(facts.of(RankSubject::kLine, line).total(), 3e9);
  EXPECT_DOUBLE_EQ(facts.of(RankSubject::kOwn, function_named(profile, "walk")).total(), 3e9);
}

TEST(RankFacts, ChildrenCountWithTheirRank) {
  JobProfile job({.ranks = 2});
  job.work(0, "main:1", kSecond).work(1, "main:1", kSecond);
  const ThreadId child = job.add_child(1);
  job.work(child, "main:1", 2 * kSecond);
  const Profile profile = job.finish();
  const RankFacts facts = make_rank_facts(profile);
  ASSERT_EQ(facts.ranks(), 2U);
  EXPECT_EQ(facts.list.ranks[1].processes, 2U);
  EXPECT_EQ(facts.list.ranks[1].useful, 3 * kSecond);
  EXPECT_EQ(facts.list.ranks[1].wall, 10 * kSecond) << "that of the process the launcher started";
  const auto& main = facts.of(RankSubject::kTotal, function_named(profile, "main"));
  EXPECT_EQ(main.maximum, 3 * kSecond);
  EXPECT_EQ(main.ranks, 2U);
}

TEST(RankFacts, TimeInMpiIsNoUsefulTimeWhereOnlyWallTimeIsKnown) {
  JobProfile job({.ranks = 2, .is_sampled = false, .has_cpu = false});
  for (const int rank : {0, 1}) {
    job.work(rank, "main:1;solve:88", 5 * kSecond);
    job.mpi(rank, "main:1;solve:88", "MPI_Barrier", (1 + 2 * rank) * kSecond, kSecond);
  }
  const Profile profile = job.finish();
  const RankFacts facts = make_rank_facts(profile);
  const auto& line = facts.of(RankSubject::kLine, line_at(profile, facts, "solve", 88));
  EXPECT_EQ(line.maximum, 4 * kSecond);
  EXPECT_EQ(line.least, 2 * kSecond);
  EXPECT_EQ(facts.list.ranks[0].useful, 4 * kSecond);
  ASSERT_EQ(facts.items.sites.size(), 1U);
  EXPECT_DOUBLE_EQ(facts.of(RankSubject::kMpiTime, 0).total(), 4e9);
  EXPECT_DOUBLE_EQ(facts.of(RankSubject::kMpiWait, 0).total(), 2e9);
  EXPECT_EQ(facts.site_calls[0], 2);
  EXPECT_EQ(facts.items.sites[0].caller.line, 88U);
}

// A job with children, MPI and uneven work.
Profile mixed_job(std::int64_t ranks) {
  std::mt19937 random(7);
  JobProfile job({.ranks = ranks});
  for (std::int64_t rank = 0; rank < ranks; ++rank) {
    for (int line = 1; line < 30; ++line) {
      if (random() % 3 == 0) continue;
      job.work(rank, "main:1;f" + std::to_string(line % 7) + ":" + std::to_string(line),
               static_cast<std::int64_t>(random() % 1000) * 1'000'000);
    }
    job.mpi(rank, "main:1;f3:3", "MPI_Allreduce", static_cast<std::int64_t>(random() % kSecond),
            10'000, 17);
    if (rank % 3 == 0) job.work(job.add_child(rank), "main:1;f2:9", kSecond);
  }
  return job.finish();
}

std::vector<const ThreadCells*> threads_of(const Profile& profile, std::size_t process) {
  std::vector<const ThreadCells*> threads;
  for (std::size_t i = 0; i < profile.threads.size(); ++i) {
    if (profile.threads[i].process.row() == process) threads.push_back(&profile.thread_cells[i]);
  }
  return threads;
}

TEST(RankFacts, PartsInAnyOrderGiveTheSameBytes) {
  const Profile profile = mixed_job(40);
  const std::string whole = write_rank_facts(make_rank_facts(profile));
  for (const unsigned seed : {1U, 2U, 3U}) {
    std::mt19937 random(seed);
    std::vector<std::size_t> order(profile.processes.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::shuffle(order.begin(), order.end(), random);
    std::vector<RankCollector> parts;
    for (int i = 0; i < 3; ++i) parts.emplace_back(profile);
    for (const std::size_t process : order) {
      const auto threads = threads_of(profile, process);
      parts[random() % 3].add(ProcessId::from_index(process), threads);
    }
    ASSERT_TRUE(parts[1].absorb(parts[2].partial()));
    parts[0].combine(std::move(parts[1]));
    EXPECT_EQ(write_rank_facts(parts[0].finish()), whole);
  }
}

TEST(RankFacts, BytesGiveTheSameFacts) {
  const Profile profile = mixed_job(25);
  const RankFacts facts = make_rank_facts(profile);
  const auto read = read_rank_facts(profile, write_rank_facts(facts));
  ASSERT_TRUE(read) << read.error().message;
  for (std::size_t i = 0; i < kRankSubjects; ++i) {
    EXPECT_EQ(read->tables[i].items, facts.tables[i].items) << i;
    EXPECT_EQ(read->tables[i].cells, facts.tables[i].cells) << i;
  }
  EXPECT_EQ(read->site_calls, facts.site_calls);
  EXPECT_EQ(read->site_bytes, facts.site_bytes);
}

TEST(RankFacts, DamagedBytesAreRefused) {
  const Profile profile = mixed_job(5);
  const std::string bytes = write_rank_facts(make_rank_facts(profile));
  for (std::size_t cut = 0; cut < bytes.size(); ++cut) {
    EXPECT_FALSE(read_rank_facts(profile, std::string_view(bytes).substr(0, cut))) << cut;
  }
  EXPECT_FALSE(read_rank_facts(mixed_job(6), bytes)) << "of another job";
  EXPECT_FALSE(read_rank_facts(profile, "\xff" + bytes));
}

TEST(RankFacts, DamagedPartsAreRefused) {
  const Profile profile = mixed_job(5);
  RankCollector part(profile);
  part.add(ProcessId(0), threads_of(profile, 0));  // its child is still to come
  part.add(ProcessId(2), threads_of(profile, 2));
  const std::string bytes = part.partial();
  for (std::size_t cut = 0; cut < bytes.size(); ++cut) {
    EXPECT_FALSE(RankCollector(profile).absorb(std::string_view(bytes).substr(0, cut))) << cut;
  }
  EXPECT_TRUE(RankCollector(profile).absorb(bytes));
}

TEST(RankFacts, HostileNumbersDoNoHarm) {
  constexpr std::int64_t kLargest = std::numeric_limits<std::int64_t>::max();
  JobProfile job({.ranks = 3, .wall = kLargest});
  job.work(0, "main:1", kLargest).work(1, "main:1", -kLargest).work(2, "main:1", 1);
  job.mpi(0, "main:1", "MPI_Send", kLargest, 0, kLargest, kLargest);
  job.mpi(1, "main:1", "MPI_Send", -kLargest, -1, -1, -1);
  const Profile profile = job.finish();
  const RankFacts facts = make_rank_facts(profile);
  const auto& main = facts.of(RankSubject::kTotal, function_named(profile, "main"));
  EXPECT_EQ(main.ranks, 2U) << "what is below zero is nothing";
  EXPECT_EQ(main.maximum, kLargest);
  EXPECT_TRUE(read_rank_facts(profile, write_rank_facts(facts)));
}

TEST(RankFacts, TenThousandRanksStaySmall) {
  JobProfile job({.ranks = 1});
  std::string path = "main:1";
  for (int i = 0; i < 80; ++i) path += ";f" + std::to_string(i) + ":1";
  job.work(0, path, 10 * kSecond);
  Profile one = job.finish();
  const ThreadCells cells = one.thread_cells[0];
  one.processes.resize(10'000, one.processes[0]);
  for (std::size_t i = 0; i < one.processes.size(); ++i) {
    one.processes[i].rank = static_cast<std::int64_t>(i);
  }
  one.process_totals.resize(one.processes.size(), one.process_totals[0]);
  RankCollector collector(one);
  const ThreadCells* const threads[] = {&cells};
  for (std::size_t i = 0; i < one.processes.size(); ++i) {
    collector.add(ProcessId::from_index(i), threads);
  }
  const RankFacts facts = collector.finish();
  for (const RankTable& table : facts.tables) EXPECT_LE(table.cells.size(), 10'000 * kMostCells);
  EXPECT_LT(write_rank_facts(facts).size(), 1'000'000U) << "all ranks are alike";
  const auto& main = facts.of(RankSubject::kTotal, function_named(one, "main"));
  EXPECT_EQ(main.ranks, 10'000U);
  EXPECT_DOUBLE_EQ(main.imbalance(10'000), 1);
}

TEST(RankFacts, ProcessesWithoutARankAreNoPartOfTheJob) {
  JobProfile job({.ranks = 2});
  job.work_everywhere("main:1", kSecond);
  Profile profile = job.finish();
  profile.processes[1].rank = -1;
  const RankFacts facts = make_rank_facts(profile);
  EXPECT_EQ(facts.ranks(), 1U);
  EXPECT_EQ(facts.list.of_process[1], RankList::kNoRank);
  EXPECT_DOUBLE_EQ(facts.of(RankSubject::kTotal, function_named(profile, "main")).total(), 1e9);
}

}  // namespace
}  // namespace pyrometer

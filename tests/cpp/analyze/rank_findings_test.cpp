// Findings about ranks, on jobs whose answers are known.
#include <gtest/gtest.h>

#include <random>

#include "analyze/findings/findings.h"
#include "analyze/ranks/efficiency.h"
#include "analyze/ranks/idle_ranks.h"
#include "analyze/ranks/imbalance.h"
#include "analyze/ranks/mpi_waits.h"
#include "analyze/ranks/rank_words.h"
#include "analyze/ranks/serial_lines.h"
#include "support/job_profile.h"

namespace pyrometer {
namespace {

using testing::JobProfile;
using testing::kSecond;

std::vector<Finding> findings_of(const Profile& profile) {
  Overview overview = make_overview(profile, MetricId(0));
  add_rank_facts(overview);
  return find_all(overview);
}

// Those with the id.
std::vector<std::string> sentences(const Profile& profile, std::string_view id) {
  std::vector<std::string> found;
  for (const Finding& finding : findings_of(profile)) {
    if (finding.id == id) found.push_back(finding.sentence);
  }
  return found;
}

TEST(RankFindings, AnImbalanceOfExactly1Point8NamesTheInnermostFunctionAndItsLine) {
  JobProfile job({.ranks = 8, .wall = 20 * kSecond});
  job.work_everywhere("main:3;step:9;assemble:40", 5 * kSecond);
  for (int rank = 0; rank < 8; ++rank) {
    // The mean is 5 s, the largest 9 s.
    const std::int64_t time = rank == 5 ? 9 * kSecond : 31 * kSecond / 7;
    job.work(rank, "main:3;step:10;solve:61", time);
  }
  const auto found = sentences(job.finish(), "imbalance");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0],
            "solve (solve.py:61) is spread unevenly: rank 5 works 9.00 s in it, the mean is "
            "5.00 s (imbalance 1.80); evening it out would save up to 4.00 s, 20 % of the job.");
}

TEST(RankFindings, TwoUnevenFunctionsThatDoNotCallEachOther) {
  JobProfile job({.ranks = 4});
  job.work_everywhere("main:1;read:5", kSecond).work_everywhere("main:2;solve:6", kSecond);
  job.work(1, "main:1;read:5", 2 * kSecond).work(2, "main:2;solve:6", 3 * kSecond);
  EXPECT_EQ(sentences(job.finish(), "imbalance").size(), 2U);
}

TEST(RankFindings, BalancedRanksWithSamplingNoiseAreNotCalledUneven) {
  for (unsigned seed = 0; seed < 1000; ++seed) {
    std::mt19937 random(seed);
    const std::int64_t ranks = seed % 2 == 0 ? 8 : 64;
    std::poisson_distribution<std::int64_t> samples(static_cast<double>(5 + seed % 300));
    JobProfile job({.ranks = ranks, .wall = (5 + seed % 300) * 3 * JobProfile::kPeriod});
    for (std::int64_t rank = 0; rank < ranks; ++rank) {
      for (const char* path : {"main:1;solve:5", "main:2;assemble:7", "main:3;write:9"}) {
        job.work(rank, path, samples(random) * JobProfile::kPeriod);
      }
    }
    EXPECT_TRUE(sentences(job.finish(), "imbalance").empty()) << seed;
  }
}

TEST(RankFindings, ExactTimesNeedNoGateButMustMatter) {
  JobProfile job({.ranks = 2, .wall = kSecond, .is_sampled = false});
  job.work_everywhere("main:1", kSecond / 2).work(1, "main:1", kSecond / 5);
  EXPECT_EQ(sentences(job.finish(), "imbalance").size(), 1U);
  JobProfile small({.ranks = 2, .wall = 100 * kSecond, .is_sampled = false});
  small.work_everywhere("main:1", kSecond / 2).work(1, "main:1", kSecond / 5);
  EXPECT_TRUE(sentences(small.finish(), "imbalance").empty()) << "a thousandth of the job";
}

TEST(RankFindings, TwelveOf32RanksAreIdle) {
  JobProfile job({.ranks = 32, .wall = 3600 * kSecond});
  for (int rank = 0; rank < 32; ++rank) {
    job.work(rank, "main:1;solve:5", (rank < 20 ? 3000 : 360) * kSecond);
  }
  const auto found = sentences(job.finish(), "idle-ranks");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0],
            "12 of 32 ranks are idle (20-31): they work less than a fifth of what the busiest "
            "rank works, 10.8 core-hours unused.");
}

TEST(RankFindings, ARank0OnlySectionBoundsTheSpeedUp) {
  JobProfile job({.ranks = 8, .wall = 10 * kSecond});
  job.work_everywhere("main:1;solve:5", 9 * kSecond).work(0, "main:2;output:45", kSecond);
  const Profile profile = job.finish();
  const auto found = sentences(profile, "serial-line");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0],
            "output.py:45 runs on rank 0 alone, 1.00 s, 10.0 % of the job: however many ranks, "
            "the program cannot get more than 10.0 times as fast as one rank.");
  EXPECT_TRUE(sentences(profile, "imbalance").empty()) << "the same said twice";
}

TEST(RankFindings, ARankThatManagesTheOthersIsNotSerial) {
  JobProfile job({.ranks = 8, .wall = 10 * kSecond});
  job.work_everywhere("main:1;solve:5", 9 * kSecond + kSecond / 2);
  job.work(0, "main:2;manage:45", 4 * kSecond);
  EXPECT_TRUE(sentences(job.finish(), "serial-line").empty());
}

// All ranks meet in a collective; rank 3 comes late.
Profile late_rank(std::int64_t ranks) {
  JobProfile job({.ranks = ranks, .wall = 10 * kSecond});
  for (std::int64_t rank = 0; rank < ranks; ++rank) {
    job.work(rank, "main:3;solve:61", rank == 3 ? 8 * kSecond : 4 * kSecond);
    job.work(rank, "main:3;other:70", kSecond);
    const std::int64_t wait = rank == 3 ? 0 : 4 * kSecond;
    job.mpi(rank, "main:3;solve:88", "MPI_Allreduce", wait + kSecond / 100, kSecond / 1000, 10);
  }
  return job.finish();
}

TEST(RankFindings, ACollectiveWaitsForRank3) {
  const auto found = sentences(late_rank(4), "waiting-for");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0],
            "Ranks wait 12.0 s in all in MPI_Allreduce at solve.py:88 (30 % of their time), likely "
            "for rank 3, which works 4.00 s more than the others at solve.py:61.");
}

TEST(RankFindings, ARingWaitsForItsSlowRank) {
  JobProfile job({.ranks = 8, .wall = 10 * kSecond});
  for (int rank = 0; rank < 8; ++rank) {
    job.work(rank, "main:1;step:20", rank == 6 ? 6 * kSecond : 2 * kSecond);
    // Those behind the slow one wait a little less for each other.
    const std::int64_t wait = rank == 6 ? 0 : 4 * kSecond - (rank % 3) * kSecond / 10;
    job.mpi(rank, "main:1;step:31", "MPI_Recv", wait + 1000, 1000);
    job.mpi(rank, "main:1;step:30", "MPI_Send", 1000, 1000);
  }
  const Profile profile = job.finish();
  const RankFacts facts = make_rank_facts(profile);
  const auto sites = find_mpi_sites(facts);
  ASSERT_EQ(sites.size(), 2U);
  ASSERT_TRUE(sites[0].culprit);
  EXPECT_EQ(facts.number(sites[0].culprit->rank), 6);
  EXPECT_EQ(facts.items.lines[sites[0].culprit->line].line, 20U);
  EXPECT_NEAR(sites[0].culprit->excess, 4e9, 1);
  EXPECT_FALSE(sites[1].culprit);
}

TEST(RankFindings, WaitsThatNobodyExplainsNameNobody) {
  JobProfile job({.ranks = 4});
  for (int rank = 0; rank < 4; ++rank) {
    job.work(rank, "main:1;solve:5", 4 * kSecond);
    job.mpi(rank, "main:1;solve:8", "MPI_Barrier", 3 * kSecond, kSecond / 1000);
  }
  const auto found = sentences(job.finish(), "waiting-for");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_NE(found[0].find("no single rank and line explains it"), std::string::npos) << found[0];
}

TEST(RankFindings, EfficienciesAndWhyTheyAreWithheld) {
  JobProfile job({.ranks = 4, .wall = 10 * kSecond});
  job.work_everywhere("main:1", 3 * kSecond).work(2, "main:1", 5 * kSecond);
  const Efficiency efficiency = find_efficiency(make_rank_list(job.finish()));
  EXPECT_EQ(efficiency.withheld, "");
  EXPECT_DOUBLE_EQ(efficiency.load_balance, 17.0 / 32);
  EXPECT_DOUBLE_EQ(efficiency.communication, 0.8);
  EXPECT_DOUBLE_EQ(efficiency.parallel, 17.0 / 40);

  JobProfile crowded({.ranks = 4, .attributes = {{"cores.host", "2"}}});
  crowded.work_everywhere("main:1", 3 * kSecond);
  const Profile profile = crowded.finish();
  EXPECT_EQ(find_efficiency(make_rank_list(profile)).withheld,
            "4 ranks share the 2 cores of node0");
  EXPECT_EQ(make_rank_list(profile).job_time(), 3 * kSecond);
  EXPECT_EQ(sentences(profile, "oversubscribed").size(), 1U);
  EXPECT_TRUE(sentences(profile, "efficiency").empty());

  JobProfile waiting({.ranks = 2});
  waiting.work_everywhere("main:1", 3 * kSecond).other(1, "main:1", "runnable", kSecond);
  EXPECT_EQ(find_efficiency(make_rank_list(waiting.finish())).withheld,
            "ranks waited for a core 14 % of their time");

  JobProfile threads({.ranks = 2, .wall = kSecond});
  threads.work_everywhere("main:1", 3 * kSecond);
  EXPECT_NE(find_efficiency(make_rank_list(threads.finish())).withheld, "");
}

TEST(RankFindings, ASlowHost) {
  JobProfile job({.ranks = 32, .ranks_per_host = 8});
  for (int rank = 0; rank < 32; ++rank) {
    const std::int64_t slow = rank / 8 == 2 ? 130 : 100;
    const std::int64_t jitter = 100 + rank % 3;
    job.work(rank, "main:1;solve:5", kSecond * slow * jitter / 10'000);
    job.work(rank, "main:2;assemble:6", 2 * kSecond * slow * jitter / 10'000);
  }
  const auto found = sentences(job.finish(), "slow-host");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_NE(found[0].find("Host node2 is slow"), std::string::npos) << found[0];
  EXPECT_NE(found[0].find("1.30 times"), std::string::npos) << found[0];
  // Of several, the slowest is named.
  JobProfile rack({.ranks = 80, .ranks_per_host = 8});
  for (int rank = 0; rank < 80; ++rank) {
    const int host = rank / 8;
    const std::int64_t slow = host == 2 ? 150 : host == 5 || host == 7 ? 130 : 100;
    rack.work(rank, "main:1;solve:5", kSecond * slow * (100 + rank % 3) / 10'000);
    rack.work(rank, "main:2;assemble:6", 2 * kSecond * slow * (100 + rank % 3) / 10'000);
  }
  const auto of_several = sentences(rack.finish(), "slow-host");
  ASSERT_EQ(of_several.size(), 1U);
  EXPECT_NE(of_several[0].find("Host node2 is slow, and so are 2 other hosts"), std::string::npos)
      << of_several[0];
  // Work that differs by rank on every host is none of the hosts' doing.
  JobProfile uneven({.ranks = 32, .ranks_per_host = 8});
  for (int rank = 0; rank < 32; ++rank) {
    uneven.work(rank, "main:1;solve:5", (1 + rank % 8) * kSecond);
  }
  EXPECT_TRUE(sentences(uneven.finish(), "slow-host").empty());
}

TEST(RankFindings, TooManyThreadsAndTheWrongLauncher) {
  JobProfile job({.ranks = 4, .attributes = {{"cores.host", "16"}, {"blas", "openblas 16"}}});
  job.work_everywhere("main:1", kSecond);
  EXPECT_EQ(sentences(job.finish(), "too-many-threads"),
            std::vector<std::string>{
                "4 ranks on node0 may compute with 64 threads in all on 16 cores (openblas 16 "
                "each): set OMP_NUM_THREADS to 4."});
  JobProfile fine({.ranks = 4, .attributes = {{"cores.host", "16"}, {"blas", "openblas 4"}}});
  fine.work_everywhere("main:1", kSecond);
  EXPECT_TRUE(sentences(fine.finish(), "too-many-threads").empty());
  JobProfile alone(
      {.ranks = 4,
       .attributes = {
           {"mpi.size", "1"}, {"launcher", "hydra"}, {"mpi.library", "Open MPI v4.1.4"}}});
  alone.work_everywhere("main:1", kSecond);
  EXPECT_EQ(sentences(alone.finish(), "wrong-launcher"),
            std::vector<std::string>{
                "The launcher (hydra) started 4 ranks, but for MPI each of 4 is alone: the program "
                "uses another MPI (Open MPI v4.1.4); start it with that one's mpirun."});
  JobProfile untold({.ranks = 4, .attributes = {{"mpi.size", "1"}, {"launcher", "srun"}}});
  untold.work_everywhere("main:1", kSecond);
  EXPECT_EQ(
      sentences(untold.finish(), "wrong-launcher"),
      std::vector<std::string>{
          "The launcher (srun) started 4 ranks, but for MPI each of 4 is alone: srun does not "
          "speak to the program's MPI; start it with srun --mpi=pmix or --mpi=pmi2, whichever "
          "that MPI was built for."});
}

TEST(RankFindings, HowRanksEnded) {
  JobProfile job({.ranks = 5});
  job.work_everywhere("main:1", kSecond);
  Profile profile = job.finish();
  for (const std::size_t i : {0, 1, 4}) profile.processes[i].status = ProcessStatus::kKilled;
  profile.processes[2].exit_status = 3;
  profile.processes[3].exit_status = 0;
  EXPECT_EQ(sentences(profile, "rank-ended"),
            std::vector<std::string>{
                "Rank 2 ended with exit status 3; each of 3 ranks (0-1, 4) was killed or is still "
                "running, and up to its last second is missing."});
  EXPECT_TRUE(sentences(profile, "killed").empty()) << "the same said twice";
}

TEST(RankFindings, ImportsFromACrowdedFileSystem) {
  JobProfile job({.ranks = 4});
  ProfileBuilder& builder = job.builder();
  const FunctionId import =
      builder.function({.name = "_find_and_load", .file = "<frozen importlib._bootstrap>"});
  const NodeId at = builder.node(job.node("main:1"), import, 1);
  const MetricId io = builder.metric({"io", Unit::kNanoseconds});
  const MetricId wall = builder.metric({"wall", Unit::kNanoseconds});
  for (int rank = 0; rank < 4; ++rank) {
    builder.values(job.thread(rank)).row(at)[wall] += 3 * kSecond;
    builder.values(job.thread(rank)).row(at)[io] += 2 * kSecond;
    job.work(rank, "main:1;solve:5", 5 * kSecond);
  }
  const auto found = sentences(job.finish(), "import-storm");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_NE(found[0].find("for 12.0 s in all, 3.00 s each (30 % of the job), and wait for files "
                          "67 % of it"),
            std::string::npos)
      << found[0];
}

TEST(RankFindings, PicklingIsSeenInTheLibraryOrAtALineThatSendsObjects) {
  JobProfile job({.ranks = 2});
  for (int rank = 0; rank < 2; ++rank) {
    job.work(rank, "main:4;@_pickle.so", 2 * kSecond).mpi(rank, "main:4", "MPI_Bcast", 1000, 1000);
    job.work(rank, "main:9;@_pickle.so", 2 * kSecond);  // writes a file
  }
  const auto found = sentences(job.finish(), "pickling");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_NE(found[0].find("for 4.00 s in all (20 % of their time), most at main.py:4"),
            std::string::npos)
      << found[0];
  for (const bool lower_case : {false, true}) {
    JobProfile builtin({.ranks = 2});
    for (int rank = 0; rank < 2; ++rank) {
      builtin.work(rank, "main:2;@python3.11", 2 * kSecond);
      builtin.mpi(rank, "main:2", "MPI_Send", 1000, 1000);
    }
    Profile profile = builtin.finish();
    profile.sources[profile.strings.intern("main.py")] = {
        false, lower_case ? "import x\ncomm.send(a, 1)\n" : "import x\ncomm.Send(a, 1)\n"};
    EXPECT_EQ(sentences(profile, "pickling").size(), lower_case ? 1U : 0U);
  }
}

TEST(RankFindings, PicklingIsTheLinesOwnWhereTheInterpreterIsInTheExecutable) {
  struct Case {
    const char* line;
    std::size_t findings;
  };
  for (const auto& [line, findings] :
       {Case{"comm.bcast(mesh)", 1}, Case{"comm.Bcast(mesh)", 0},
        Case{"comm.gather([cell for cell in mesh])", 0}, Case{"comm.allreduce(sum(mesh))", 0}}) {
    JobProfile job({.ranks = 2});
    for (int rank = 0; rank < 2; ++rank) {
      job.work(rank, "main:2", kSecond).work(rank, "main:2;@libc.so.6", kSecond);
      job.mpi(rank, "main:2", "MPI_Bcast", 1000, 1000);
    }
    Profile profile = job.finish();
    profile.sources[profile.strings.intern("main.py")] = {false, std::string("import x\n") + line};
    const auto found = sentences(profile, "pickling");
    ASSERT_EQ(found.size(), findings) << line;
    for (const std::string& sentence : found) {
      EXPECT_NE(sentence.find("for 4.00 s in all"), std::string::npos) << sentence;
    }
  }
}

TEST(RankFindings, NothingIsSaidOfOneRankOrNone) {
  for (const std::int64_t rank : {-1, 0}) {
    JobProfile job({.ranks = 1});
    job.work(0, "main:1", kSecond).mpi(0, "main:2", "MPI_Barrier", kSecond, kSecond);
    Profile profile = job.finish();
    profile.processes[0].rank = rank;
    for (const Finding& finding : findings_of(profile)) EXPECT_EQ(finding.id, "hot-function");
  }
}

TEST(RankWords, Ranges) {
  EXPECT_EQ(rank_ranges(std::vector<std::int64_t>{}), "");
  EXPECT_EQ(rank_ranges({4}), "4");
  EXPECT_EQ(rank_ranges({0, 1, 2, 7, 9, 10}), "0-2, 7, 9-10");
  EXPECT_EQ(rank_ranges({0, 2, 4, 6, 8, 10, 12, 13}), "0, 2, 4, 6, 8 and 3 more");
}

}  // namespace
}  // namespace pyrometer

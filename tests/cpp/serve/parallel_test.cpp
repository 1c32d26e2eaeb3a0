// What the view learns about the ranks of a job, on jobs whose answers are known.
#include "serve/view_of.h"
#include "support/job_profile.h"
#include "support/profile_of_stacks.h"
#include "support/timed_profile.h"

namespace pyrometer {
namespace {

using testing::ask;
using testing::ask_columns;
using testing::ask_in_vain;
using testing::ask_json;
using testing::JobProfile;
using testing::kSecond;
using testing::ReadColumns;
using testing::view_of;
using Rows = std::vector<std::uint32_t>;
using Numbers = std::vector<double>;
constexpr double kS = 1e9;
constexpr std::uint32_t kNone = 0xffffffffU;

// Four ranks on two hosts meet in a collective; rank 3 comes late, rank 0 hardly works.
Profile late_rank() {
  JobProfile job({.ranks = 4, .wall = 10 * kSecond, .ranks_per_host = 2});
  const std::int64_t work[] = {1, 5, 5, 9};
  for (std::int64_t rank = 0; rank < 4; ++rank) {
    job.work(rank, "main:3;solve:61", work[rank] * kSecond);
    job.mpi(rank, "main:3;exchange:88", "MPI_Allreduce", (9 - work[rank]) * kSecond + kSecond / 10,
            kSecond / 100, 10, 800);
  }
  return job.finish();
}

TEST(ParallelAnswer, DividesTheTimeOfEachRank) {
  const ReadColumns all = ask_columns({view_of(late_rank())}, "api/0/parallel");
  EXPECT_EQ(all.get<std::int32_t>("rank.number"), (std::vector<std::int32_t>{0, 1, 2, 3}));
  EXPECT_EQ(all.rows("rank.process"), (Rows{0, 1, 2, 3}));
  EXPECT_EQ(all.rows("rank.host"), (Rows{0, 0, 1, 1}));
  EXPECT_EQ(all.numbers("rank.wall"), Numbers(4, 10 * kS));
  EXPECT_EQ(all.numbers("rank.useful"), (Numbers{kS, 5 * kS, 5 * kS, 9 * kS}));
  EXPECT_EQ(all.numbers("rank.mpi"), (Numbers{8.1e9, 4.1e9, 4.1e9, 0.1e9}));
  // Ten calls, the quickest of which took 10 ms.
  EXPECT_EQ(all.numbers("rank.wait"), (Numbers{8 * kS, 4 * kS, 4 * kS, 0}));
  EXPECT_EQ(all.numbers("rank.samples"), (Numbers{200, 1000, 1000, 1800}));
  EXPECT_EQ(all.get<std::uint8_t>("rank.idle"), (std::vector<std::uint8_t>{1, 0, 0, 0}));
  EXPECT_EQ(all.meta()["hosts"][1]["name"], "node1");
  EXPECT_EQ(all.meta()["hosts"][1]["ranks"], 2);
  EXPECT_EQ(all.meta()["world_size"], 4);
  EXPECT_NEAR(all.meta()["idle_core_hours"], 9.0 / 3600, 1e-9);
}

TEST(ParallelAnswer, HasTheEfficienciesOrTheReasonWhyNot) {
  const auto known = ask_columns({view_of(late_rank())}, "api/0/parallel").meta()["efficiency"];
  EXPECT_EQ(known["withheld"], "");
  EXPECT_NEAR(known["load_balance"], 20.0 / 4 / 9, 1e-9);
  EXPECT_NEAR(known["communication"], 0.9, 1e-9);
  EXPECT_NEAR(known["parallel"], 0.5, 1e-9);
  JobProfile crowded({.ranks = 4, .attributes = {{"cores.host", "2"}}});
  crowded.work_everywhere("main:1", kSecond);
  const auto withheld =
      ask_columns({view_of(crowded.finish())}, "api/0/parallel").meta()["efficiency"];
  EXPECT_EQ(withheld["withheld"], "4 ranks share the 2 cores of node0");
  EXPECT_TRUE(withheld["parallel"].is_null());
}

TEST(ParallelAnswer, NamesTheLinesThatCallMpiAndForWhomTheyWait) {
  const ProfileVersions profiles = {view_of(late_rank())};
  const Profile& profile = profiles[0].profile->summary();
  const ReadColumns all = ask_columns(profiles, "api/0/parallel");
  ASSERT_EQ(all.rows("call.function").size(), 1U);
  const auto name_of = [&](const char* column) {
    return profile.text(profile.functions[all.rows(column)[0]].name);
  };
  EXPECT_EQ(name_of("call.function"), "exchange");
  EXPECT_EQ(all.rows("call.line"), (Rows{88}));
  EXPECT_EQ(name_of("call.mpi"), "MPI_Allreduce");
  EXPECT_EQ(all.rows("call.smallest"), (Rows{4}));
  EXPECT_EQ(all.rows("call.largest"), (Rows{4}));
  EXPECT_EQ(all.numbers("call.calls"), (Numbers{40}));
  EXPECT_EQ(all.numbers("call.bytes"), (Numbers{3200}));
  EXPECT_EQ(all.numbers("call.time"), (Numbers{16.4e9}));
  EXPECT_EQ(all.numbers("call.wait"), (Numbers{16 * kS}));
  EXPECT_NEAR(all.numbers("call.share")[0], 0.4, 1e-9);
  EXPECT_EQ(all.rows("culprit.rank"), (Rows{3}));
  EXPECT_EQ(name_of("culprit.function"), "solve");
  EXPECT_EQ(all.rows("culprit.line"), (Rows{61}));
  EXPECT_NEAR(all.numbers("culprit.excess")[0], (9 - 11.0 / 3) * kS, 1);
}

TEST(ParallelAnswer, ACallThatNobodyWaitsInHasNoCulprit) {
  JobProfile job({.ranks = 2});
  job.work_everywhere("main:1", 9 * kSecond);
  job.mpi(0, "main:2", "MPI_Wtime", 10, 10).mpi(1, "main:2", "MPI_Wtime", 10, 10);
  const ReadColumns all = ask_columns({view_of(job.finish())}, "api/0/parallel");
  EXPECT_EQ(all.rows("culprit.rank"), (Rows{kNone}));
  EXPECT_EQ(all.rows("culprit.function"), (Rows{kNone}));
}

TEST(ParallelAnswer, UnevenFunctionsAreMarkedWhereNoiseExplainsThem) {
  JobProfile job({.ranks = 2, .wall = 20 * kSecond});
  job.work(0, "main:1;solve:5", 2 * kSecond).work(1, "main:1;solve:5", 10 * kSecond);
  job.work(0, "main:2;copy:7", 4 * JobProfile::kPeriod);
  job.work(1, "main:2;copy:7", 6 * JobProfile::kPeriod);
  const ProfileVersions profiles = {view_of(job.finish())};
  const Profile& profile = profiles[0].profile->summary();
  const ReadColumns all = ask_columns(profiles, "api/0/parallel");
  std::vector<std::string_view> names;
  for (const std::uint32_t row : all.rows("uneven.function")) {
    names.push_back(profile.text(profile.functions[row].name));
  }
  // main has what it calls.
  EXPECT_EQ(names, (std::vector<std::string_view>{"main", "solve", "copy"}));
  EXPECT_EQ(all.numbers("uneven.mean")[1], 6 * kS);
  EXPECT_EQ(all.numbers("uneven.deviation")[1], 4 * kS);
  EXPECT_EQ(all.numbers("uneven.minimum")[1], 2 * kS);
  EXPECT_EQ(all.numbers("uneven.maximum")[1], 10 * kS);
  EXPECT_EQ(all.rows("uneven.lowest")[1], 0U);
  EXPECT_EQ(all.rows("uneven.highest")[1], 1U);
  EXPECT_NEAR(all.numbers("uneven.factor")[1], 10.0 / 6, 1e-9);
  EXPECT_EQ(all.numbers("uneven.cost")[1], 4 * kS);
  EXPECT_NEAR(all.numbers("uneven.share")[1], 0.2, 1e-9);
  EXPECT_EQ(all.get<std::uint8_t>("uneven.certain"), (std::vector<std::uint8_t>{1, 1, 0}));
  EXPECT_EQ(all.get<std::uint8_t>("uneven.matters"), (std::vector<std::uint8_t>{1, 1, 0}));
}

TEST(ParallelAnswer, ProfilesWithoutRanksSaySo) {
  const auto [status, sentence] =
      ask_in_vain({view_of(testing::profile_of_stacks({{"f:1", 5}}))}, "api/0/parallel");
  EXPECT_EQ(status, 409);
  EXPECT_EQ(sentence, "No process of this profile is a rank of a parallel job.");
  ProfileBuilder builder;
  builder.add_process({.rank = 0, .world_size = 2});
  EXPECT_EQ(ask_in_vain({view_of(builder.finish())}, "api/0/parallel").second,
            "The ranks of this profile have no values.");
}

// A summary as merged files give it: totals, but not the values of threads.
SharedProfile without_values(Profile profile) {
  profile.thread_cells.clear();
  return std::make_shared<const Profile>(std::move(profile));
}

TEST(ParallelAnswer, FactsOfAMergedFileNeedNoValues) {
  std::promise<Result<SharedProfile>> never;
  const auto facts = std::make_shared<const RankFacts>(make_rank_facts(late_rank()));
  const ProfileVersions kept = {{.profile = std::make_shared<const ViewedProfile>(
                                     ProfileTitle{.name = "job.pyro"}, without_values(late_rank()),
                                     never.get_future().share(), facts)}};
  EXPECT_EQ(ask(kept, "api/0/parallel").body, ask({view_of(late_rank())}, "api/0/parallel").body);
  const auto summary = ask_json(kept, "api/0/summary");
  EXPECT_EQ(summary["title"], "Ranks wait for each other 40 % of their time");
}

TEST(ParallelAnswer, WithoutFactsTheyAreMadeWhenEverythingIsRead) {
  std::promise<Result<SharedProfile>> read;
  read.set_value(std::make_shared<const Profile>(late_rank()));
  const ProfileVersions later = {{.profile = std::make_shared<const ViewedProfile>(
                                      ProfileTitle{.name = "job.pyro"}, without_values(late_rank()),
                                      read.get_future().share())}};
  EXPECT_EQ(ask_columns(later, "api/0/parallel").numbers("rank.useful"),
            (Numbers{kS, 5 * kS, 5 * kS, 9 * kS}));
  std::promise<Result<SharedProfile>> nothing;
  nothing.set_value(without_values(late_rank()));
  const ProfileVersions none = {{.profile = std::make_shared<const ViewedProfile>(
                                     ProfileTitle{.name = "job.pyro"}, without_values(late_rank()),
                                     nothing.get_future().share())}};
  EXPECT_EQ(ask_in_vain(none, "api/0/parallel").second,
            "This profile does not tell its ranks apart.");
}

TEST(ParallelSummary, FindingsOfRanksLeadToTheRanks) {
  const auto summary = ask_json({view_of(late_rank())}, "api/0/summary");
  const auto screen_of = [&](std::string_view id) -> std::string {
    for (const auto& finding : summary["findings"]) {
      if (finding["id"] == id) return finding["screen"];
    }
    return "";
  };
  EXPECT_EQ(screen_of("waiting-for"), "ranks");
  EXPECT_EQ(screen_of("idle-ranks"), "ranks");
  EXPECT_EQ(screen_of("imbalance"), "ranks");
  EXPECT_EQ(screen_of("efficiency"), "ranks");
}

TEST(ParallelSummary, TheTitleTellsTimeInMpi) {
  JobProfile job({.ranks = 2});
  for (int rank = 0; rank < 2; ++rank) {
    job.work(rank, "main:1", 3 * kSecond).mpi(rank, "main:2", "MPI_Send", 6 * kSecond, 6 * kSecond);
  }
  EXPECT_EQ(ask_json({view_of(job.finish())}, "api/0/summary")["title"],
            "Ranks spend 60 % of their time in MPI");
}

TEST(ParallelSummary, ASummaryMayLeaveOutWhatHappenedWhen) {
  for (const bool leaves_out : {false, true}) {
    Profile profile = late_rank();
    profile.leaves_out_samples = leaves_out;
    EXPECT_EQ(ask_json({view_of(std::move(profile))}, "api/0/summary")["has"]["time"], leaves_out);
  }
}

TEST(ParallelSummary, MpiIsAKindOfTime) {
  JobProfile job({.ranks = 2});
  job.work_everywhere("main:1", 3 * kSecond).other(1, "main:2", "mpi", 4 * kSecond);
  const auto shares = ask_json({view_of(job.finish())}, "api/0/summary")["shares"];
  const auto mpi = std::find_if(shares.begin(), shares.end(),
                                [](const auto& share) { return share["id"] == "mpi"; });
  ASSERT_NE(mpi, shares.end());
  EXPECT_EQ((*mpi)["words"], "MPI");
  EXPECT_EQ((*mpi)["percent"], 40);
}

}  // namespace
}  // namespace pyrometer

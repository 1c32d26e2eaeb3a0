#include "os/rank.h"

#include <gtest/gtest.h>

#include "support/environment.h"

namespace pyrometer {
namespace {

using testing::variables;
using Values = std::map<std::string, std::string>;

std::optional<Rank> rank_in(Values values) { return detect_rank(variables(std::move(values))); }

struct Case {
  const char* launcher;
  Values values;
  int rank, size, local_rank;
};

TEST(Rank, OfEveryLauncher) {
  const Case cases[] = {
      {"given", {{"PYROMETER_RANK", "3"}, {"PYROMETER_SIZE", "8"}, {"PMI_RANK", "1"}}, 3, 8, -1},
      {"openmpi",
       {{"OMPI_COMM_WORLD_RANK", "3"},
        {"OMPI_COMM_WORLD_SIZE", "8"},
        {"OMPI_COMM_WORLD_LOCAL_RANK", "1"},
        {"PMIX_RANK", "3"}},
       3,
       8,
       1},
      {"mvapich", {{"MV2_COMM_WORLD_RANK", "3"}, {"MV2_COMM_WORLD_SIZE", "8"}}, 3, 8, -1},
      {"hydra", {{"PMI_RANK", "3"}, {"PMI_SIZE", "8"}, {"MPI_LOCALRANKID", "1"}}, 3, 8, 1},
      {"hydra", {{"PMI_ID", "3"}, {"PMI_SIZE", "8"}}, 3, 8, -1},
      {"pals", {{"PALS_RANKID", "3"}, {"PALS_LOCAL_RANKID", "1"}}, 3, 0, 1},
      {"alps", {{"ALPS_APP_PE", "3"}}, 3, 0, -1},
      {"jsrun", {{"JSM_NAMESPACE_RANK", "3"}, {"JSM_NAMESPACE_SIZE", "8"}}, 3, 8, -1},
      {"flux", {{"FLUX_TASK_RANK", "3"}, {"FLUX_JOB_SIZE", "8"}}, 3, 8, -1},
      {"pmix", {{"PMIX_RANK", "3"}, {"PMIX_NAMESPACE", "job"}}, 3, 0, -1},
      {"torchrun",
       {{"RANK", "3"}, {"WORLD_SIZE", "8"}, {"LOCAL_RANK", "1"}, {"LOCAL_WORLD_SIZE", "2"}},
       3,
       8,
       1},
      {"srun",
       {{"SLURM_PROCID", "3"},
        {"SLURM_STEP_ID", "0"},
        {"SLURM_STEP_NUM_TASKS", "8"},
        {"SLURM_LOCALID", "1"}},
       3,
       8,
       1},
      {"poe", {{"MP_CHILD", "3"}, {"MP_PROCS", "8"}}, 3, 8, -1},
  };
  for (const Case& expected : cases) {
    const auto rank = rank_in(expected.values);
    ASSERT_TRUE(rank) << expected.launcher;
    EXPECT_EQ(rank->launcher, expected.launcher);
    EXPECT_EQ(rank->rank, expected.rank) << expected.launcher;
    EXPECT_EQ(rank->size, expected.size) << expected.launcher;
    EXPECT_EQ(rank->local_rank, expected.local_rank) << expected.launcher;
  }
}

TEST(Rank, NoLauncherNoRank) { EXPECT_FALSE(rank_in({{"HOME", "/root"}})); }

TEST(Rank, ABatchScriptIsNoRank) {
  EXPECT_FALSE(rank_in({{"SLURM_JOB_ID", "12"}, {"SLURM_PROCID", "0"}}));
}

TEST(Rank, MpirunInABatchScriptIsBelievedBeforeSlurm) {
  const auto rank = rank_in(
      {{"SLURM_PROCID", "0"}, {"SLURM_STEP_ID", "1"}, {"PMI_RANK", "5"}, {"PMI_SIZE", "6"}});
  EXPECT_EQ(rank.value().rank, 5);
}

TEST(Rank, TheShellOfSallocIsNoRank) {
  EXPECT_FALSE(rank_in({{"SLURM_JOB_ID", "12"},
                        {"SLURM_PROCID", "0"},
                        {"SLURM_STEP_ID", "4294967290"},
                        {"SLURM_STEP_NUM_TASKS", "1"}}));
}

TEST(Rank, WorkersOfTorchrunInheritTheRankOfTheirNode) {
  const Values worker{{"RANK", "5"},       {"LOCAL_RANK", "1"},
                      {"WORLD_SIZE", "8"}, {"LOCAL_WORLD_SIZE", "4"},
                      {"PMIX_RANK", "1"},  {"PMIX_NAMESPACE", "slurm.pmix.12.0"},
                      {"PMI_RANK", "1"},   {"TORCHELASTIC_RUN_ID", "none"}};
  const auto rank = rank_in(worker);
  ASSERT_TRUE(rank);
  EXPECT_EQ(rank->launcher, "torchrun");
  EXPECT_EQ(rank->rank, 5);
}

TEST(Rank, ACommonNameAloneProvesNothing) {
  EXPECT_FALSE(rank_in({{"RANK", "3"}, {"WORLD_SIZE", "8"}}));
  EXPECT_FALSE(job_id(variables({{"JOB_ID", "7"}})));
}

TEST(Rank, NonsenseIsNoRank) {
  for (const char* text : {"-1", "x", "3x", "99999999999", " 3"}) {
    EXPECT_FALSE(rank_in({{"PMI_RANK", text}})) << text;
  }
  EXPECT_EQ(rank_in({{"PMI_RANK", "3"}, {"PMI_SIZE", "2"}}).value().size, 0);
}

TEST(JobId, OfEveryBatchSystem) {
  const auto job = [](Values values) { return job_id(variables(std::move(values))).value_or(""); };
  EXPECT_EQ(job({{"SLURM_JOB_ID", "12"}}), "12");
  EXPECT_EQ(job({{"SLURM_JOB_ID", "12"}, {"SLURM_STEP_ID", "3"}}), "12.3");
  EXPECT_EQ(job({{"SLURM_JOB_ID", "12"}, {"SLURM_STEP_ID", "4294967290"}}), "12");
  EXPECT_EQ(job({{"SLURM_JOB_ID", "12"}, {"SLURM_STEP_ID", "3"}, {"SLURM_RESTART_COUNT", "2"}}),
            "12.3-restart2");
  EXPECT_EQ(job({{"PBS_JOBID", "12.server"}}), "12.server");
  EXPECT_EQ(job({{"LSB_JOBID", "12"}}), "12");
  EXPECT_EQ(job({{"COBALT_JOBID", "12"}}), "12");
  EXPECT_EQ(job({{"JOB_ID", "12"}, {"SGE_ROOT", "/sge"}}), "12");
  EXPECT_EQ(job({{"FLUX_JOB_ID", "f1"}}), "f1");
  EXPECT_EQ(job({{"PMIX_NAMESPACE", "ns"}}), "ns");
  EXPECT_EQ(job({{"TORCHELASTIC_RUN_ID", "r"}}), "r");
  EXPECT_EQ(job({}), "");
}

TEST(Rank, SrunSaysWhatPmixDoesNot) {
  const Values step{{"PMIX_RANK", "2"},
                    {"SLURM_STEP_ID", "0"},
                    {"SLURM_PROCID", "2"},
                    {"SLURM_STEP_NUM_TASKS", "4"},
                    {"SLURM_LOCALID", "1"}};
  const auto rank = rank_in(step);
  ASSERT_TRUE(rank);
  EXPECT_EQ(rank->launcher, "pmix");
  EXPECT_EQ(rank->size, 4);
  EXPECT_EQ(rank->local_rank, 1);
  // Another launcher inside a step has ranks of its own.
  Values inside = step;
  inside["SLURM_PROCID"] = "0";
  EXPECT_EQ(rank_in(inside)->size, 0);
}

}  // namespace
}  // namespace pyrometer

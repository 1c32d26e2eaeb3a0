#include "os/launch_identity.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <map>
#include <string>

#include "os/rank.h"
#include "support/environment.h"

namespace pyrometer {
namespace {

using testing::variables;
using Values = std::map<std::string, std::string>;

std::string identity(Values values, std::string control_port = {}) {
  return launch_identity(
      variables(std::move(values)), "node1",
      {.start = {.pid = 7, .ticks_since_boot = 99}, .control_port = std::move(control_port)});
}

TEST(LaunchIdentity, JobAndStepWhereSrunStartsTheRanks) {
  EXPECT_EQ(identity({{"SLURM_JOB_ID", "12"}, {"SLURM_STEP_ID", "3"}}), "slurm:12.3");
  Values step{{"SLURM_JOB_ID", "12"},
              {"SLURM_STEP_ID", "3"},
              {"SLURM_PROCID", "1"},
              {"SLURM_STEP_NUM_TASKS", "4"}};
  EXPECT_EQ(identity(step), "slurm:12.3");
  Values pmi2 = step;
  pmi2.insert({{"PMI_RANK", "1"}, {"PMI_SIZE", "4"}});
  EXPECT_EQ(identity(pmi2), "slurm:12.3");
  Values pmix = step;
  pmix.insert({{"PMIX_RANK", "1"}, {"PMIX_NAMESPACE", "slurm.pmix.12.3"}});
  EXPECT_EQ(identity(pmix), "slurm:12.3");
  pmix.insert({"SLURM_RESTART_COUNT", "1"});
  EXPECT_EQ(identity(pmix), "slurm:12.3-restart1");
}

// mpirun starts its daemons by srun, but on the first node it is one itself: some of its ranks are
// in a step, others are not. And a shell that srun started may call mpirun again and again.
TEST(LaunchIdentity, MpirunUnderSlurmIsNoStep) {
  const Values first{{"SLURM_JOB_ID", "12"},
                     {"SLURM_PROCID", "0"},
                     {"OMPI_COMM_WORLD_RANK", "0"},
                     {"OMPI_COMM_WORLD_SIZE", "2"},
                     {"PMIX_NAMESPACE", "3423"}};
  Values second = first;
  second["OMPI_COMM_WORLD_RANK"] = "1";
  second.insert({{"SLURM_STEP_ID", "0"}, {"SLURM_STEP_NUM_TASKS", "1"}});
  EXPECT_EQ(identity(first), "pmix:3423");
  EXPECT_EQ(identity(second), "pmix:3423");
  EXPECT_EQ(job_id(variables(first)), "12");
  EXPECT_EQ(job_id(variables(second)), "12");
}

TEST(LaunchIdentity, TorchrunIsKnownByItselfOnOneMachine) {
  Values worker{{"RANK", "1"},
                {"LOCAL_RANK", "1"},
                {"WORLD_SIZE", "2"},
                {"LOCAL_WORLD_SIZE", "2"},
                {"MASTER_ADDR", "node1"},
                {"MASTER_PORT", "29500"},
                {"TORCHELASTIC_RESTART_COUNT", "0"},
                {"TORCHELASTIC_RUN_ID", "none"}};
  EXPECT_EQ(identity(worker), "torch:none@node1:7:99");
  worker["TORCHELASTIC_RESTART_COUNT"] = "1";
  EXPECT_EQ(identity(worker), "torch:none@node1:7:99#1");
  worker["TORCHELASTIC_RESTART_COUNT"] = "0";
  worker["WORLD_SIZE"] = "4";
  EXPECT_EQ(identity(worker), "torch:none@node1:29500:none");  // without a batch system
  worker.insert({{"SLURM_JOB_ID", "12"}, {"SLURM_STEP_ID", "3"}, {"SLURM_PROCID", "1"}});
  EXPECT_EQ(identity(worker), "torch:none@node1:29500:12");
}

TEST(LaunchIdentity, AJobWithoutAStepHoldsManyLaunches) {
  EXPECT_EQ(identity({{"SLURM_JOB_ID", "12"}, {"PMIX_NAMESPACE", "prterun-1"}}), "pmix:prterun-1");
  EXPECT_EQ(identity({{"SLURM_JOB_ID", "12"}}), "pid:node1:7:99");
}

TEST(LaunchIdentity, WithoutALauncherItIsTheParent) { EXPECT_EQ(identity({}), "pid:node1:7:99"); }

TEST(LaunchIdentity, HydraIsKnownByItsPortOnEveryNode) {
  EXPECT_EQ(identity({{"PBS_JOBID", "7"}}, "node1:36021"), "hydra:node1:36021");
  // One shell that srun started may call mpiexec again and again.
  EXPECT_EQ(identity({{"SLURM_JOB_ID", "12"},
                      {"SLURM_STEP_ID", "3"},
                      {"SLURM_PROCID", "0"},
                      {"SLURM_STEP_NUM_TASKS", "1"},
                      {"PMI_RANK", "0"},
                      {"PMI_SIZE", "4"}},
                     "node1:36021"),
            "hydra:node1:36021");
  // Another launcher's ranks may be started from one of Hydra's.
  EXPECT_EQ(identity({{"OMPI_COMM_WORLD_RANK", "0"}, {"PMIX_NAMESPACE", "3423"}}, "node1:36021"),
            "pmix:3423");
}

TEST(LaunchIdentity, EmptyVariablesDoNotCount) {
  ::setenv("PYROMETER_TEST_EMPTY", "", 1);
  EXPECT_FALSE(own_environment("PYROMETER_TEST_EMPTY"));
  EXPECT_FALSE(own_environment("PYROMETER_TEST_UNSET"));
}

TEST(ProcessStart, TellsOneProcessFromAnother) {
  const auto self = process_start(::getpid());
  ASSERT_TRUE(self);
  EXPECT_EQ(self->pid, ::getpid());
  EXPECT_GT(self->ticks_since_boot, 0U);
  EXPECT_FALSE(process_start(-1));
}

}  // namespace
}  // namespace pyrometer

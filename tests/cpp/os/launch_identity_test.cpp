#include "os/launch_identity.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <map>
#include <string>

#include "support/environment.h"

namespace pyrometer {
namespace {

using testing::variables;

std::string identity(std::map<std::string, std::string> values, std::string control_port = {}) {
  return launch_identity(
      variables(std::move(values)), "node1",
      {.start = {.pid = 7, .ticks_since_boot = 99}, .control_port = std::move(control_port)});
}

TEST(LaunchIdentity, JobAndStepWhereSlurmGivesBoth) {
  EXPECT_EQ(identity({{"SLURM_JOB_ID", "12"}, {"SLURM_STEP_ID", "3"}, {"PMIX_NAMESPACE", "x"}}),
            "slurm:12.3");
}

TEST(LaunchIdentity, AJobWithoutAStepHoldsManyLaunches) {
  EXPECT_EQ(identity({{"SLURM_JOB_ID", "12"}, {"PMIX_NAMESPACE", "prterun-1"}}), "pmix:prterun-1");
  EXPECT_EQ(identity({{"SLURM_JOB_ID", "12"}}), "pid:node1:7:99");
}

TEST(LaunchIdentity, WithoutALauncherItIsTheParent) { EXPECT_EQ(identity({}), "pid:node1:7:99"); }

TEST(LaunchIdentity, HydraIsKnownByItsPortOnEveryNode) {
  EXPECT_EQ(identity({{"PBS_JOBID", "7"}}, "node1:36021"), "hydra:node1:36021");
  EXPECT_EQ(identity({{"SLURM_JOB_ID", "12"}, {"SLURM_STEP_ID", "3"}}, "node1:36021"),
            "slurm:12.3");
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

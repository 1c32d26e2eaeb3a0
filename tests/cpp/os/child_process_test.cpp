#include "os/child_process.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "os/host_name.h"
#include "os/launch_identity.h"

namespace pyrometer {
namespace {

Result<Ending> run(std::vector<std::string> argv,
                   EnvironmentBlock environment = EnvironmentBlock::of_this_process()) {
  auto notices = NoticeSocket::open().value();
  auto signals = SignalGuard::install().value();
  PYROMETER_TRY(ChildProcess child,
                ChildProcess::start(std::move(argv), std::move(environment), signals));
  return child.wait(signals, notices);
}

TEST(ChildProcess, StatusAndSignal) {
  EXPECT_EQ(run({"true"}).value().status, 0);
  EXPECT_EQ(run({"sh", "-c", "exit 255"}).value().status, 255);
  EXPECT_EQ(run({"sh", "-c", "kill -TERM $$"}).value().signal, SIGTERM);
}

TEST(ChildProcess, WhatCannotBeStarted) {
  EXPECT_EQ(run({"no-such-program"}).error().code, ErrorCode::kNotFound);
  EXPECT_EQ(run({"/etc/passwd"}).error().code, ErrorCode::kIo);
  EXPECT_EQ(run({"/"}).error().code, ErrorCode::kIo);
}

TEST(ChildProcess, GetsItsEnvironment) {
  auto environment = EnvironmentBlock::of_this_process();
  environment.set("PYROMETER_TEST_A", "old");
  environment.set("PYROMETER_TEST_A", "a b=c");
  environment.set("PYROMETER_TEST_B", "x");
  environment.remove("PYROMETER_TEST_B");
  const auto ending = run({"sh", "-c", "test \"$PYROMETER_TEST_A${PYROMETER_TEST_B-}\" = 'a b=c'"},
                          std::move(environment));
  EXPECT_EQ(ending.value().status, 0);
}

TEST(ChildProcess, ASignalSentToUsGoesOnToIt) {
  // The program sends it to its parent, which is this test, and gets it back.
  const auto ending = run({"sh", "-c",
                           "trap 'exit 7' USR1; kill -USR1 $PPID; "
                           "i=0; while [ $i -lt 500 ]; do sleep 0.01; i=$((i + 1)); done"});
  EXPECT_EQ(ending.value().status, 7);
}

TEST(SignalGuard, LeavesEverythingAsItWas) {
  sigset_t before;
  ::sigprocmask(SIG_BLOCK, nullptr, &before);
  {
    const auto guard = SignalGuard::install().value();
    ::kill(::getpid(), SIGTERM);
  }  // what came meanwhile is dropped
  sigset_t after;
  ::sigprocmask(SIG_BLOCK, nullptr, &after);
  for (int signal = 1; signal < SIGRTMAX; ++signal) {
    EXPECT_EQ(::sigismember(&before, signal), ::sigismember(&after, signal)) << signal;
  }
}

TEST(HostName, IsNotEmpty) { EXPECT_FALSE(host_name().empty()); }

TEST(ProcessStart, OfThisProcessAndItsParent) {
  EXPECT_EQ(own_start().pid, ::getpid());
  EXPECT_EQ(find_launcher("").start.pid, ::getppid());
}

}  // namespace
}  // namespace pyrometer

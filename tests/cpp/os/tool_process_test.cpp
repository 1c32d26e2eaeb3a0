#include "os/tool_process.h"

#include <gtest/gtest.h>

#include <csignal>
#include <thread>

namespace pyrometer {
namespace {

TEST(ToolProcess, EndingAndComplaint) {
  EXPECT_TRUE(run_tool({"true"}).value().is_good());
  const auto ending = run_tool({"sh", "-c", "echo out; echo trouble >&2; exit 3"}).value();
  EXPECT_EQ(ending.status, 3);
  EXPECT_EQ(ending.complaint, "trouble\n");
  EXPECT_FALSE(ending.is_good());
  EXPECT_EQ(run_tool({"sh", "-c", "kill -TERM $$"}).value().signal, SIGTERM);
  EXPECT_TRUE(run_tool({"sh", "-c", "! read -r line"}).value().is_good());  // nothing to read
}

TEST(ToolProcess, WhatCannotBeStarted) {
  EXPECT_EQ(run_tool({"no-such-program"}).error().code, ErrorCode::kNotFound);
  EXPECT_EQ(run_tool({"/etc/passwd"}).error().code, ErrorCode::kIo);
}

TEST(ToolProcess, LongComplaintsAreBounded) {
  const auto ending = run_tool({"sh", "-c", "head -c 1000000 /dev/zero | tr '\\0' x >&2"}).value();
  EXPECT_TRUE(ending.is_good());
  EXPECT_EQ(ending.complaint.size(), std::size_t{64} << 10);
}

TEST(ToolProcess, SeveralAtOnceDoNotWaitForEachOther) {
  // A write end that leaked into the slow one would keep the quick one's reader waiting.
  std::thread slow([] { EXPECT_TRUE(run_tool({"sleep", "0.5"}).value().is_good()); });
  for (int i = 0; i < 10; ++i) EXPECT_EQ(run_tool({"sh", "-c", "echo x >&2"})->complaint, "x\n");
  slow.join();
}

}  // namespace
}  // namespace pyrometer

#include "os/tool_process.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <thread>

#include "os/unique_fd.h"
#include "support/temporary_folder.h"

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

// What a started program has written once it is there.
std::string wait_for(const std::filesystem::path& path) {
  for (int i = 0; i < 500 && !std::filesystem::exists(path); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  std::string text;
  std::getline(std::ifstream(path), text);
  return text;
}

TEST(ToolProcess, WhatIsStartedGoesOnByItself) {
  const testing::TemporaryFolder folder;
  const std::string path = (folder / "told").string();
  const UniqueFd ours(::dup(STDERR_FILENO));  // as a library would open it
  const std::string script = fmt::format(
      "echo chatter; test -e /proc/$$/fd/{} && echo open >{}.part || echo closed >{}.part; "
      "mv {}.part {}",
      ours.get(), path, path, path, path);
  ASSERT_TRUE(start_tool({"sh", "-c", script}));
  EXPECT_EQ(wait_for(path), "closed");
  EXPECT_EQ(start_tool({"no-such-program"}).error().code, ErrorCode::kNotFound);
}

}  // namespace
}  // namespace pyrometer

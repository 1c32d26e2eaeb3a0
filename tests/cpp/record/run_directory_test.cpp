#include "record/run_directory.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "support/temporary_folder.h"

namespace pyrometer {
namespace {

using testing::TemporaryFolder;

RunInfo run_of(const std::string& launch) {
  return {.launch = launch,
          .argv = {"wave.py", "-n", "256", "tab\there"},
          .python = "/usr/bin/python3",
          .host = "node07",
          .launcher = "mpirun",
          .size = 32,
          .start = 1'700'000'000'000'000'000,
          .options = {{"rate", "200"}}};
}

TEST(RunDirectory, InfoRoundTrip) {
  const RunInfo info = run_of("slurm:1.0");
  EXPECT_EQ(decode_run_info(encode_run_info(info)).value(), info);
}

TEST(RunDirectory, GarbageIsNotARun) {
  for (const char* text : {"", "{", "[]", "{}", "{\"version\": \"x\"}", "null"}) {
    const auto info = decode_run_info(text);
    ASSERT_FALSE(info) << text;
    EXPECT_EQ(info.error().code, ErrorCode::kCorrupt) << text;
  }
  EXPECT_EQ(decode_run_info("{\"version\": 99}").error().code, ErrorCode::kUnsupported);
}

TEST(RunDirectory, ProcessesOfOneLaunchJoin) {
  const TemporaryFolder folder;
  const Path run = folder / "run with a space";
  ASSERT_TRUE(join_run_directory(run, run_of("a"), false));
  ASSERT_TRUE(join_run_directory(run, run_of("a"), false));
  EXPECT_TRUE(is_run_directory(run));
  EXPECT_EQ(read_run_info(run).value().launch, "a");
}

TEST(RunDirectory, AnotherLaunchIsRefusedUntilReplaced) {
  const TemporaryFolder folder;
  const Path run = folder / "run";
  ASSERT_TRUE(join_run_directory(run, run_of("a"), false));
  ASSERT_TRUE(create_file(run / "raw" / "r-old-1-1.pyr", "old"));
  const auto refused = join_run_directory(run, run_of("b"), false);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kUsage);
  EXPECT_NE(refused.error().message.find("--replace"), std::string::npos);
  EXPECT_EQ(list_recordings(run).value().size(), 1U);
  ASSERT_TRUE(join_run_directory(run, run_of("b"), true));
  EXPECT_EQ(read_run_info(run).value().launch, "b");
  EXPECT_TRUE(list_recordings(run).value().empty());
}

TEST(RunDirectory, ManyProcessesReplacingAtOnceLoseNothingOfTheNewRun) {
  const TemporaryFolder folder;
  const Path run = folder / "run";
  ASSERT_TRUE(join_run_directory(run, run_of("old"), false));
  std::atomic<int> failures{0};
  std::vector<std::thread> ranks;
  for (int rank = 0; rank < 8; ++rank) {
    ranks.emplace_back([&, rank] {
      if (!is_run_directory(run)) ++failures;  // at no moment is it a stranger's folder
      const bool joined = join_run_directory(run, run_of("new"), true).has_value();
      const Path file = recording_path(
          run, {.rank = rank, .pid = static_cast<std::uint32_t>(rank), .host = "h"}, 1);
      std::error_code ignored;
      std::filesystem::create_directories(file.parent_path(), ignored);
      if (!joined || !create_file(file, "x")) ++failures;
    });
  }
  for (std::thread& rank : ranks) rank.join();
  EXPECT_EQ(failures, 0);
  EXPECT_EQ(list_recordings(run).value().size(), 8U);
}

TEST(RunDirectory, TheLastRankToEndKnowsIt) {
  const TemporaryFolder folder;
  ASSERT_TRUE(join_run_directory(folder / "run", run_of("a"), false));
  EXPECT_FALSE(has_rank_ended(folder / "run", 2));
  EXPECT_FALSE(mark_end_of_rank(folder / "run", 2, 3));
  EXPECT_TRUE(has_rank_ended(folder / "run", 2));
  EXPECT_FALSE(mark_end_of_rank(folder / "run", 0, 3));
  EXPECT_FALSE(mark_end_of_rank(folder / "run", 0, 3));
  EXPECT_TRUE(mark_end_of_rank(folder / "run", 1, 3));
  EXPECT_FALSE(mark_end_of_rank(folder / "run", 1, 3));  // one of them is enough
  ASSERT_TRUE(join_run_directory(folder / "run", run_of("b"), true));
  EXPECT_FALSE(mark_end_of_rank(folder / "run", 1, 3));
}

TEST(RunDirectory, WhatEndedARankIsKnownByItsRecording) {
  const TemporaryFolder folder;
  const Path run = folder / "run";
  ASSERT_TRUE(join_run_directory(run, run_of("a"), false));
  const Path recording = recording_path(run, {.rank = 2, .pid = 4711, .host = "h"}, 1);
  EXPECT_EQ(read_end_of_rank(recording, 2), "");
  mark_end_of_rank(run, 2, 3, "4711 11");
  mark_end_of_rank(run, 2, 3, "4712 15");  // the first is what it is about
  EXPECT_EQ(read_end_of_rank(recording, 2), "4711 11");
  EXPECT_EQ(read_end_of_rank(recording, 1), "");
  EXPECT_EQ(read_end_of_rank(run / "elsewhere.pyr", 2), "");
}

TEST(RunDirectory, OneOfALaunchSpeaksOfAnEarlierRun) {
  const TemporaryFolder folder;
  const Path run = folder / "run";
  EXPECT_TRUE(may_speak_of_earlier_run(run, run_of("b")));
  EXPECT_FALSE(std::filesystem::exists(run));
  ASSERT_TRUE(join_run_directory(run, run_of("a"), false));
  EXPECT_TRUE(may_speak_of_earlier_run(run, run_of("b")));
  EXPECT_FALSE(may_speak_of_earlier_run(run, run_of("b")));
  EXPECT_TRUE(may_speak_of_earlier_run(run, run_of("c")));
  ASSERT_TRUE(join_run_directory(run, run_of("b"), true));
  EXPECT_TRUE(may_speak_of_earlier_run(run, run_of("b")));
}

TEST(RunDirectory, OnlyAnEmptyRunIsTakenAway) {
  const TemporaryFolder folder;
  const Path run = folder / "run";
  ASSERT_TRUE(join_run_directory(run, run_of("a"), false));
  const Path recording = recording_path(run, {.rank = 2, .pid = 4711, .host = "h"}, 1);
  std::filesystem::create_directories(recording.parent_path());
  ASSERT_TRUE(create_file(recording, "x"));
  EXPECT_FALSE(remove_empty_run(run));
  EXPECT_TRUE(std::filesystem::exists(recording));
  EXPECT_TRUE(read_run_info(run));
  std::filesystem::remove(recording);
  EXPECT_TRUE(remove_empty_run(run));
  EXPECT_FALSE(std::filesystem::exists(run));
}

TEST(RunDirectory, NobodyIsTheLastOfAnUnknownNumber) {
  const TemporaryFolder folder;
  ASSERT_TRUE(join_run_directory(folder / "run", run_of("a"), false));
  EXPECT_FALSE(mark_end_of_rank(folder / "run", 0, 0));
}

TEST(RunDirectory, OneRankMayDoWhatIsClaimed) {
  const TemporaryFolder folder;
  ASSERT_TRUE(join_run_directory(folder / "run", run_of("a"), false));
  EXPECT_TRUE(claim(folder / "run", "failure"));
  EXPECT_FALSE(claim(folder / "run", "failure"));
  EXPECT_TRUE(claim(folder / "run", "other"));
  ASSERT_TRUE(join_run_directory(folder / "run", run_of("b"), true));
  EXPECT_TRUE(claim(folder / "run", "failure"));
}

TEST(RunDirectory, RemovalSparesOtherFiles) {
  const TemporaryFolder folder;
  ASSERT_TRUE(join_run_directory(folder / "run", run_of("a"), false));
  ASSERT_TRUE(join_run_directory(folder / "run", run_of("b"), true));
  ASSERT_TRUE(create_file(folder / "run" / "notes.txt", "mine"));
  remove_run(folder / "run");
  EXPECT_FALSE(is_run_directory(folder / "run"));
  EXPECT_TRUE(std::filesystem::remove(folder / "run" / "notes.txt"));
  EXPECT_TRUE(std::filesystem::is_empty(folder / "run"));
  ASSERT_TRUE(join_run_directory(folder / "run", run_of("a"), false));
  remove_run(folder / "run");
  EXPECT_FALSE(std::filesystem::exists(folder / "run"));
}

TEST(RunDirectory, UnwritablePlacesAreOneSentence) {
  const auto refused = join_run_directory("/proc/no/such/place", run_of("a"), false);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kIo);
  EXPECT_NE(refused.error().message.find("/proc/no/such/place"), std::string::npos);
}

TEST(RunDirectory, NamesNeverCollideAndFoldersStaySmall) {
  const RecordingHeader ranked{.rank = 12, .pid = 4711, .host = "node 07/x"};
  EXPECT_EQ(recording_path("run", ranked, 99), "run/raw/000/r0000012-node_07_x-4711-99.pyr");
  EXPECT_EQ(recording_path("run", {.rank = 12'345, .pid = 1, .host = "h"}, 2),
            "run/raw/012/r0012345-h-1-2.pyr");
  EXPECT_EQ(recording_path("run", {.pid = 4711, .host = "h"}, 3), "run/raw/004/r-h-4711-3.pyr");
}

}  // namespace
}  // namespace pyrometer

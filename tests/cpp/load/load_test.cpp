#include "load/load.h"

#include <gtest/gtest.h>

#include "profile/totals.h"
#include "record/run_directory.h"
#include "support/small_recording.h"
#include "support/temporary_folder.h"
#include "synthetic_recording.h"

namespace pyrometer {
namespace {

using testing::SmallRecording;
using testing::TemporaryFolder;

// A run of synthetic ranks; returns its directory.
Path make_run(const TemporaryFolder& folder, std::int32_t ranks) {
  const Path run = folder / "run";
  EXPECT_TRUE(join_run_directory(run, {.launch = "test:1", .size = ranks}, false));
  for (std::int32_t rank = 0; rank < ranks; ++rank) {
    const Path path = recording_path(run, {.rank = rank, .pid = 7, .host = "h"}, 1);
    std::filesystem::create_directories(path.parent_path());
    EXPECT_TRUE(
        write_file(path, synthetic_recording({.nodes = 200, .rank = rank, .world_size = ranks})));
  }
  return run;
}

TEST(Load, ARunDirectoryIsTheSumOfItsRanks) {
  const TemporaryFolder folder;
  const Path run = make_run(folder, 40);  // more than are in memory at once
  const Profile whole = load_profile(std::vector{run}, {}).value();
  EXPECT_EQ(whole.processes.size(), 40U);
  EXPECT_EQ(whole.nodes.size(),
            load_file(list_recordings(run).value()[0], Detail::kValues)->nodes.size());
  std::int64_t sum = 0;
  const std::vector<Path> recordings = list_recordings(run).value();
  for (const Path& path : recordings) {
    const Profile one = load_file(path, Detail::kValues).value();
    sum += grand_total(one, *one.find_metric("wall"));
  }
  EXPECT_EQ(grand_total(whole, *whole.find_metric("wall")), sum);
  for (std::int32_t rank = 0; rank < 40; ++rank)
    EXPECT_EQ(whole.processes[static_cast<std::size_t>(rank)].rank, rank);
}

TEST(Load, OneBrokenFileDoesNotHideARun) {
  const TemporaryFolder folder;
  const Path run = make_run(folder, 3);
  ASSERT_TRUE(write_file(run / "raw/000/r0000001-h-7-1.pyr", ""));
  const Profile profile = load_profile(std::vector{run}, {}).value();
  EXPECT_EQ(profile.processes.size(), 2U);
  ASSERT_EQ(profile.notes.size(), 1U);
  EXPECT_NE(profile.notes[0].find("r0000001"), std::string::npos);
}

TEST(Load, AFileNamedByHandMustLoad) {
  const TemporaryFolder folder;
  ASSERT_TRUE(write_file(folder / "good.pyr", SmallRecording().whole()));
  ASSERT_TRUE(write_file(folder / "bad.pyr", "garbage"));
  const auto failed = load_profile(std::vector<Path>{folder / "good.pyr", folder / "bad.pyr"}, {});
  ASSERT_FALSE(failed);
  EXPECT_NE(failed.error().message.find("bad.pyr"), std::string::npos);
}

TEST(Load, WhatIsNoProfileIsSaidInOneSentence) {
  const TemporaryFolder folder;
  ASSERT_TRUE(write_file(folder / "empty", ""));
  ASSERT_TRUE(write_file(folder / "text", "hello, this is a text"));
  std::filesystem::create_directory(folder / "folder");
  const std::pair<const char*, ErrorCode> cases[] = {{"missing", ErrorCode::kNotFound},
                                                     {"empty", ErrorCode::kCorrupt},
                                                     {"text", ErrorCode::kUnsupported},
                                                     {"folder", ErrorCode::kUsage}};
  for (const auto& [name, code] : cases) {
    const auto failed = load_profile(std::vector<Path>{folder / name}, {});
    ASSERT_FALSE(failed) << name;
    EXPECT_EQ(failed.error().code, code) << name;
    EXPECT_NE(failed.error().message.find(name), std::string::npos);
    EXPECT_EQ(failed.error().message.find('\n'), std::string::npos);
  }
}

TEST(Load, ARunWithoutRecordingsSaysSo) {
  const TemporaryFolder folder;
  ASSERT_TRUE(join_run_directory(folder / "run", {.launch = "a"}, false));
  const auto failed = load_profile(std::vector<Path>{folder / "run"}, {});
  ASSERT_FALSE(failed);
  EXPECT_NE(failed.error().message.find("no recordings"), std::string::npos);
}

}  // namespace
}  // namespace pyrometer

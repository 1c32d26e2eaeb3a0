// merge_files as the command line calls it: names in, one file out.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "load/load.h"
#include "merge/merge.h"
#include "record/run_directory.h"
#include "support/describe_profile.h"
#include "support/small_recording.h"
#include "support/temporary_folder.h"
#include "synthetic_recording.h"

namespace pyrometer {
namespace {

using testing::describe;
using testing::TemporaryFolder;

std::string file_bytes(const Path& path) { return *read_file(path, 1 << 30); }

// A run directory with `ranks` synthetic recordings.
class MergeFiles : public ::testing::Test {
 protected:
  void make_run(std::int32_t ranks) {
    ASSERT_TRUE(join_run_directory(run_, {.launch = "test:1", .size = ranks}, true));
    for (std::int32_t rank = 0; rank < ranks; ++rank) {
      const Path path = path_of(rank);
      std::filesystem::create_directories(path.parent_path());
      ASSERT_TRUE(write_file(path, synthetic_recording({.nodes = 200,
                                                        .samples = 50,
                                                        .threads = 3,
                                                        .density = 0.4,
                                                        .rank = rank,
                                                        .world_size = ranks})));
      recordings_.push_back(path);
    }
  }

  Path path_of(std::int32_t rank) const {
    return recording_path(run_, {.rank = rank, .pid = 7, .host = "node"}, 1);
  }

  static Result<MergeSummary> merge(const std::vector<Path>& inputs, const Path& output) {
    return merge_files(inputs, output, {});
  }

  TemporaryFolder folder_;
  Path run_ = folder_ / "run";
  Path output_ = folder_ / "job.pyro";
  std::vector<Path> recordings_;
};

TEST_F(MergeFiles, ARunDirectoryBecomesOneFileThatSaysTheSame) {
  make_run(5);
  const auto summary = merge({run_}, output_);
  ASSERT_TRUE(summary) << summary.error().message;
  EXPECT_EQ(summary->files, 5U);
  EXPECT_EQ(summary->processes, 5U);
  EXPECT_EQ(summary->nodes, 200U);
  EXPECT_EQ(summary->bytes, std::filesystem::file_size(output_));
  EXPECT_TRUE(summary->left_out.empty());

  const auto merged = load_file(output_, Detail::kValues);
  const auto original = load_profile(std::span(&run_, 1), {.detail = Detail::kValues});
  ASSERT_TRUE(merged && original);
  EXPECT_EQ(describe(*merged), describe(*original));
}

TEST_F(MergeFiles, AnyOrderAndAnyGroupingGiveTheSameBytes) {
  make_run(7);
  ASSERT_TRUE(merge({run_}, output_));
  const std::string expected = file_bytes(output_);
  std::vector<Path> shuffled = recordings_;
  std::shuffle(shuffled.begin(), shuffled.end(), std::mt19937(3));
  const Path other = folder_ / "other.pyro";
  ASSERT_TRUE(merge(shuffled, other));
  EXPECT_TRUE(file_bytes(other) == expected);

  // Some first, then the result with the rest, written over one of its own inputs.
  ASSERT_TRUE(merge({shuffled.begin(), shuffled.begin() + 3}, other));
  std::vector<Path> rest(shuffled.begin() + 3, shuffled.end());
  rest.push_back(other);
  ASSERT_TRUE(merge(rest, other));
  EXPECT_TRUE(file_bytes(other) == expected);
}

TEST_F(MergeFiles, AnUpdateReadsWhatIsNewOrHasGrown) {
  make_run(6);
  ASSERT_TRUE(merge({run_}, folder_ / "all.pyro"));
  const std::string expected = file_bytes(folder_ / "all.pyro");
  // Rank 4 has not begun, and rank 1 still runs.
  const std::string fourth = *read_file(path_of(4), 1 << 20);
  const std::string first = *read_file(path_of(1), 1 << 20);
  std::filesystem::remove(path_of(4));
  ASSERT_TRUE(write_file(path_of(1), std::string_view(first).substr(0, first.size() / 2)));
  const auto update = [&] { return merge_files(std::span(&run_, 1), output_, {.update = true}); };
  const auto made = update();  // there is nothing to update yet
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(made->processes, 5U);
  EXPECT_EQ(made->unchanged, 0U);

  ASSERT_TRUE(write_file(path_of(4), fourth));
  ASSERT_TRUE(write_file(path_of(1), first));
  const auto updated = update();
  ASSERT_TRUE(updated) << updated.error().message;
  EXPECT_EQ(updated->processes, 6U);
  EXPECT_EQ(updated->unchanged, 4U);
  EXPECT_EQ(updated->files, 2U);
  EXPECT_TRUE(file_bytes(output_) == expected);

  const auto again = update();
  ASSERT_TRUE(again);
  EXPECT_EQ(again->unchanged, 6U);
  EXPECT_EQ(again->files, 0U);
  EXPECT_EQ(again->processes, 6U);
  EXPECT_TRUE(file_bytes(output_) == expected);

  const auto named = merge_files(recordings_, output_, {.update = true});
  ASSERT_FALSE(named);
  EXPECT_EQ(named.error().code, ErrorCode::kUsage);
}

TEST_F(MergeFiles, FilesOfSeveralKindsMix) {
  make_run(2);
  const Path small = folder_ / "small.pyr";
  ASSERT_TRUE(write_file(small, testing::SmallRecording().whole()));
  ASSERT_TRUE(merge({small}, folder_ / "small.pyro"));
  const auto summary = merge({run_, folder_ / "small.pyro"}, output_);
  ASSERT_TRUE(summary) << summary.error().message;
  EXPECT_EQ(summary->files, 3U);
  EXPECT_EQ(summary->processes, 3U);
}

TEST_F(MergeFiles, ABrokenFileOfARunIsLeftOutAndSaid) {
  make_run(3);
  ASSERT_TRUE(write_file(path_of(1), "this is no recording"));
  const auto summary = merge({run_}, output_);
  ASSERT_TRUE(summary) << summary.error().message;
  EXPECT_EQ(summary->files, 2U);
  ASSERT_EQ(summary->left_out.size(), 1U);
  const auto merged = load_file(output_, Detail::kSummary);
  ASSERT_TRUE(merged);
  ASSERT_EQ(merged->notes.size(), 1U);
  EXPECT_TRUE(merged->notes[0].starts_with("left out: "));

  for (const std::int32_t rank : {0, 2}) ASSERT_TRUE(write_file(path_of(rank), ""));
  EXPECT_FALSE(merge({run_}, output_));
}

TEST_F(MergeFiles, AFileNamedByTheUserMustLoad) {
  make_run(2);
  const Path broken = folder_ / "broken.pyr";
  ASSERT_TRUE(write_file(broken, "this is no recording"));
  const auto merged = merge({run_, broken, folder_ / "missing.pyr"}, output_);
  ASSERT_FALSE(merged);
  EXPECT_NE(merged.error().message.find("broken.pyr"), std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(output_));
  EXPECT_FALSE(merge({}, output_));
}

TEST_F(MergeFiles, AFolderThatCannotBeWrittenIsNamed) {
  make_run(1);
  const auto merged = merge({run_}, folder_ / "none/job.pyro");
  ASSERT_FALSE(merged);
  EXPECT_EQ(merged.error().code, ErrorCode::kIo);
  EXPECT_NE(merged.error().message.find("none/job.pyro"), std::string::npos);
  const auto onto_folder = merge({run_}, run_);
  ASSERT_FALSE(onto_folder);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_.path()), {}), 1);
}

TEST_F(MergeFiles, ProgressReachesItsEnd) {
  make_run(4);
  std::vector<std::string> finished;
  const auto merged =
      merge_files(std::span(&run_, 1), output_,
                  {.progress = [&](std::string_view step, std::uint64_t done, std::uint64_t total) {
                    EXPECT_LE(done, total);
                    if (done == total) finished.emplace_back(step);
                  }});
  ASSERT_TRUE(merged);
  EXPECT_EQ(finished, (std::vector<std::string>{"reading", "writing"}));
}

}  // namespace
}  // namespace pyrometer

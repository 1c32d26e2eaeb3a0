// Profiles of many ranks through shards into one file, and back.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "merge/shard.h"
#include "merge/write_merged.h"
#include "profile/builder.h"
#include "profile/totals.h"
#include "support/describe_profile.h"
#include "support/rank_profile.h"
#include "support/temporary_folder.h"

namespace pyrometer {
namespace {

using testing::describe;
using testing::rank_profile;
using testing::TemporaryFolder;

constexpr std::uint64_t kPlenty = 1 << 30;

std::vector<std::int64_t> ranks_until(std::int64_t end) {
  std::vector<std::int64_t> ranks;
  for (std::int64_t rank = 0; rank < end; ++rank) ranks.push_back(rank);
  return ranks;
}

// Spreads the ranks over shards in turn.
Result<MergedCounts> merge_ranks(const std::vector<std::int64_t>& ranks, const Path& output,
                                 std::size_t shard_count = 1, std::uint64_t memory = kPlenty) {
  std::vector<Shard> shards;
  for (std::size_t i = 0; i < shard_count; ++i) shards.emplace_back(output, memory);
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    PYROMETER_TRY_VOID(shards[i % shard_count].add(rank_profile(ranks[i])));
  }
  return write_merged(shards, output, {});
}

std::string file_bytes(const Path& path) { return *read_file(path, 1 << 30); }

TEST(Shards, TheMergedFileSaysWhatTheProfilesSaid) {
  const TemporaryFolder folder;
  const Path path = folder / "job.pyro";
  const auto counts = merge_ranks(ranks_until(6), path);
  ASSERT_TRUE(counts) << counts.error().message;
  EXPECT_EQ(counts->processes, 6U);
  const auto merged = read_pyro(path, Detail::kEverything);
  ASSERT_TRUE(merged) << merged.error().message;

  ProfileBuilder builder;
  for (const std::int64_t rank : ranks_until(6)) builder.add_profile(rank_profile(rank));
  EXPECT_EQ(describe(*merged), describe(builder.finish()));
}

TEST(Shards, TheOrderOfInputsDoesNotShow) {
  const TemporaryFolder folder;
  std::vector<std::int64_t> ranks = ranks_until(40);
  ASSERT_TRUE(merge_ranks(ranks, folder / "first.pyro"));
  const std::string first = file_bytes(folder / "first.pyro");
  std::mt19937 random(1);
  for (std::size_t shards = 1; shards <= 4; ++shards) {
    std::shuffle(ranks.begin(), ranks.end(), random);
    ASSERT_TRUE(merge_ranks(ranks, folder / "other.pyro", shards));
    EXPECT_TRUE(first == file_bytes(folder / "other.pyro")) << shards;
  }
}

TEST(Shards, WhatIsPutAsideOnDiskComesBack) {
  const TemporaryFolder folder;
  ASSERT_TRUE(merge_ranks(ranks_until(10), folder / "memory.pyro"));
  ASSERT_TRUE(merge_ranks(ranks_until(10), folder / "disk.pyro", 2, 0));
  ASSERT_TRUE(merge_ranks(ranks_until(10), folder / "both.pyro", 2, 2000));
  EXPECT_TRUE(file_bytes(folder / "memory.pyro") == file_bytes(folder / "disk.pyro"));
  EXPECT_TRUE(file_bytes(folder / "memory.pyro") == file_bytes(folder / "both.pyro"));
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 3);
}

TEST(Shards, MergingMergedFilesGivesTheSameBytes) {
  const TemporaryFolder folder;
  const auto ranks = ranks_until(12);
  ASSERT_TRUE(merge_ranks(ranks, folder / "all.pyro"));
  ASSERT_TRUE(merge_ranks({ranks.begin(), ranks.begin() + 5}, folder / "a.pyro"));
  ASSERT_TRUE(merge_ranks({ranks.begin() + 5, ranks.begin() + 8}, folder / "b.pyro"));

  std::vector<Shard> shards;
  shards.emplace_back(folder / "again.pyro", kPlenty);
  for (const char* name : {"b.pyro", "a.pyro"}) {
    const auto reader = PyroReader::open(folder / name);
    ASSERT_TRUE(reader);
    ASSERT_TRUE(shards[0].add(*reader));
  }
  for (auto rank = ranks.begin() + 8; rank != ranks.end(); ++rank) {
    ASSERT_TRUE(shards[0].add(rank_profile(*rank)));
  }
  ASSERT_TRUE(write_merged(shards, folder / "again.pyro", {}));
  EXPECT_TRUE(file_bytes(folder / "all.pyro") == file_bytes(folder / "again.pyro"));
}

TEST(Shards, ProcessesThatNothingTellsApartStillHaveAnOrder) {
  // Two cProfile files of the same name from two folders, merged before.
  const TemporaryFolder folder;
  const auto profile_with = [](std::int64_t value) {
    ProfileBuilder builder;
    const ProcessId process = builder.add_process({.source = "out.prof"});
    const ThreadId thread = builder.add_thread({.process = process, .name = builder.string("")});
    const NodeId node = builder.node(NodeId::none(), builder.function({.name = "f"}), 1);
    builder.values(thread).row(node)[builder.metric({"wall"})] = value;
    return builder.finish();
  };
  std::vector<std::string> files;
  for (const bool swapped : {false, true}) {
    std::vector<Shard> shards;
    shards.emplace_back(folder / "job.pyro", kPlenty);
    ASSERT_TRUE(shards[0].add(profile_with(swapped ? 2 : 1)));
    ASSERT_TRUE(shards[0].add(profile_with(swapped ? 1 : 2)));
    ASSERT_TRUE(write_merged(shards, folder / "job.pyro", {}));
    files.push_back(file_bytes(folder / "job.pyro"));
  }
  EXPECT_TRUE(files[0] == files[1]);
}

TEST(Shards, AThousandProcesses) {
  const TemporaryFolder folder;
  const Path path = folder / "job.pyro";
  std::vector<std::int64_t> ranks = ranks_until(1000);
  std::reverse(ranks.begin(), ranks.end());
  ASSERT_TRUE(merge_ranks(ranks, path, 2));
  const auto summary = read_pyro(path, Detail::kSummary);
  const auto values = read_pyro(path, Detail::kValues);
  ASSERT_TRUE(summary) << summary.error().message;
  ASSERT_TRUE(values) << values.error().message;
  EXPECT_EQ(values->processes.size(), 1000U);
  EXPECT_EQ(values->processes[999].rank, 999);
  EXPECT_EQ(summary->node_totals, values->node_totals);
  EXPECT_EQ(summary->process_totals, values->process_totals);
  for (std::size_t rank = 3; rank < 1000; ++rank) {
    Profile original = rank_profile(static_cast<std::int64_t>(rank));
    for (std::size_t metric = 0; metric < original.metrics.size(); ++metric) {
      const auto same = values->find_metric(original.metrics[metric].name);
      EXPECT_EQ(values->process_totals[rank][same->row()], original.process_totals[0][metric]);
    }
  }
}

TEST(Shards, AMetricThatMeansTwoThingsIsRefused) {
  const TemporaryFolder folder;
  ProfileBuilder builder;
  builder.metric({"wall", Unit::kBytes, Combine::kMax});
  std::vector<Shard> shards;
  shards.emplace_back(folder / "job.pyro", kPlenty);
  ASSERT_TRUE(shards[0].add(rank_profile(0)));
  const auto added = shards[0].add(builder.finish());
  ASSERT_FALSE(added);
  EXPECT_NE(added.error().message.find("'wall'"), std::string::npos);
}

TEST(Shards, TablesAreInCanonicalOrder) {
  const TemporaryFolder folder;
  const Path path = folder / "job.pyro";
  ASSERT_TRUE(merge_ranks({7, 3, 5}, path));
  const auto merged = read_pyro(path, Detail::kSummary);
  ASSERT_TRUE(merged);
  const auto by_id = [](const auto& a, const auto& b) { return a.id < b.id; };
  EXPECT_TRUE(std::is_sorted(merged->functions.begin(), merged->functions.end(), by_id));
  EXPECT_EQ(merged->metrics[0].name, "calls");
  EXPECT_EQ(merged->metrics[2].name, "wall");
  EXPECT_EQ(merged->processes[0].rank, 3);
  EXPECT_EQ(merged->processes[2].rank, 7);
  // The same function is installed in three places: the smallest name stands for all.
  for (const Function& function : merged->functions) {
    if (function.kind != FunctionKind::kPython) continue;
    EXPECT_TRUE(merged->text(function.file).starts_with("/home/host0/"));
  }
}

}  // namespace
}  // namespace pyrometer

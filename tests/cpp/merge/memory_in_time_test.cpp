// Memory over time through shards into one file, and back: small, and the same whatever the way.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "merge/bound_live.h"
#include "merge/write_merged.h"
#include "profile/builder.h"
#include "profile/timed_values.h"
#include "support/temporary_folder.h"

namespace pyrometer {
namespace {

using testing::TemporaryFolder;

constexpr std::uint64_t kPlenty = 1 << 30;
constexpr std::int64_t kSecond = 1'000'000'000;
constexpr std::int64_t kMiB = 1 << 20;

std::string file_bytes(const Path& path) { return *read_file(path, 1 << 30); }

struct RunLength {
  int places = 3;
  int snapshots = 20;
  int counts = 50;
};

// Each place grows by its number of MiB at every snapshot, half of that in a second thread; the
// heap has one peak.
Profile memory_of_rank(std::int64_t rank, const RunLength& run = {}) {
  ProfileBuilder builder;
  const std::int64_t clock = 5 * kSecond + rank;
  const ProcessId process = builder.add_process({.rank = rank,
                                                 .world_size = 4,
                                                 .host = "node",
                                                 .pid = 100 + static_cast<std::uint64_t>(rank),
                                                 .start = 1'700'000'000 * kSecond + rank,
                                                 .duration = run.snapshots * kSecond,
                                                 .clock = clock,
                                                 .source = "r" + std::to_string(rank)});
  std::vector<ThreadId> threads;
  for (const ThreadClass of : {ThreadClass::kMain, ThreadClass::kPython, ThreadClass::kPython}) {
    threads.push_back(builder.add_thread(
        {.process = process, .thread_class = of, .name = builder.string("thread")}));
  }
  const FunctionId function = builder.function({.name = "load"});
  // Rows are not the same in all files.
  for (int i = run.places; i >= 1; --i) {
    const auto line = static_cast<std::uint32_t>((i + rank) % run.places + 1);
    const NodeId node = builder.node(NodeId::none(), function, line);
    for (std::size_t thread = 0; thread < threads.size(); ++thread) {
      LiveTrack track{threads[thread], node, {}};
      for (int k = 1; k <= run.snapshots; ++k) {
        const std::int64_t all = k * line * kMiB;
        track.points.emplace_back(clock + k * kSecond, thread == 0 ? all : all / 4);
      }
      builder.profile().live_tracks.push_back(std::move(track));
    }
  }
  CounterSeries heap{process, builder.string("heap"), Unit::kBytes, {}};
  for (int i = 0; i < run.counts; ++i) {
    heap.points.emplace_back(clock + i * kSecond / 10, (i % 13 + rank) * kMiB);
  }
  heap.points[heap.points.size() / 3].second = 777 * kMiB + rank;
  builder.profile().counters.push_back(std::move(heap));
  return builder.finish();
}

Result<MergedCounts> merge(const std::vector<std::int64_t>& ranks, const Path& output,
                           std::size_t count = 1, const RunLength& run = {}) {
  std::vector<Shard> shards;
  for (std::size_t i = 0; i < count; ++i) shards.emplace_back(output, kPlenty);
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    PYROMETER_TRY_VOID(shards[i % count].add(memory_of_rank(ranks[i], run)));
  }
  return write_merged(shards, output, {});
}

// By process, class and line: what was live at a moment.
std::map<std::string, std::int64_t> live_at(const Profile& profile, std::int64_t seconds) {
  std::map<std::string, std::int64_t> live;
  for (const LiveTrack& track : profile.live_tracks) {
    const Thread& thread = profile.threads[track.thread.row()];
    const Process& process = profile.processes[thread.process.row()];
    live[fmt::format("{} {} {}", process.rank, name_of(thread.thread_class),
                     profile.nodes[track.node.row()].line)] +=
        value_at(track.points, process.clock + seconds * kSecond);
  }
  return live;
}

class MemoryInTime : public ::testing::Test {
 protected:
  TemporaryFolder folder_;
  Path path_ = folder_ / "job.pyro";
};

TEST_F(MemoryInTime, ShortRunsAreKeptWhole) {
  ASSERT_TRUE(merge({1, 0}, path_, 2));
  ProfileBuilder builder;
  for (const std::int64_t rank : {0, 1}) builder.add_profile(memory_of_rank(rank));
  const Profile whole = builder.finish();
  for (const Detail detail : {Detail::kCurves, Detail::kValues, Detail::kEverything}) {
    const auto merged = read_pyro(path_, detail);
    ASSERT_TRUE(merged) << merged.error().message;
    for (const std::int64_t moment : {0, 1, 7, 20, 30}) {
      EXPECT_EQ(live_at(*merged, moment), live_at(whole, moment)) << moment;
    }
    ASSERT_EQ(merged->counters.size(), 2U);
    EXPECT_EQ(merged->counters[0].points, whole.counters[0].points);
  }
}

TEST_F(MemoryInTime, ASummaryDoesNotReadIt) {
  ASSERT_TRUE(merge({0}, path_));
  const auto summary = read_pyro(path_, Detail::kSummary);
  ASSERT_TRUE(summary);
  EXPECT_TRUE(summary->live_tracks.empty());
  EXPECT_TRUE(summary->counters.empty());
  EXPECT_TRUE(summary->leaves_out_counters);
  const auto curves = read_pyro(path_, Detail::kCurves);
  ASSERT_TRUE(curves);
  EXPECT_FALSE(curves->leaves_out_counters);
  EXPECT_TRUE(curves->thread_cells.empty());
}

TEST_F(MemoryInTime, LongRunsAreBoundedAndKeepTheirPeaks) {
  const RunLength longer{.places = 200, .snapshots = 900, .counts = 5000};
  const std::vector<BoundedLive> live = bound_live(memory_of_rank(2, longer));
  std::set<std::int64_t> moments;
  std::size_t tracks = 0, points = 0;
  for (const std::vector<LiveTrack>& of_class : live[0]) {
    tracks += of_class.size();
    for (const LiveTrack& track : of_class) {
      points += track.points.size();
      for (const auto& [time, bytes] : track.points) moments.insert(time);
    }
  }
  EXPECT_LE(tracks, kMostLiveTracks);
  EXPECT_LE(points, kMostLivePoints);
  EXPECT_GT(points, kMostLivePoints / 2);
  EXPECT_LE(moments.size(), kMostLiveMoments);
  ASSERT_TRUE(merge({2}, path_, 1, longer));
  const auto merged = read_pyro(path_, Detail::kCurves);
  ASSERT_TRUE(merged) << merged.error().message;
  // The place that holds most is there to the end, exactly.
  const auto at_end = live_at(*merged, 900);
  EXPECT_EQ(at_end.at("2 main 200"), 900 * 200 * kMiB);
  ASSERT_EQ(merged->counters.size(), 1U);
  const TimedValues& heap = merged->counters[0].points;
  EXPECT_LE(heap.size(), 256U);
  EXPECT_GT(heap.size(), 200U);
  const auto highest = std::max_element(
      heap.begin(), heap.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  EXPECT_EQ(highest->second, 777 * kMiB + 2);
  EXPECT_LT(std::filesystem::file_size(path_), 250'000U);
}

TEST_F(MemoryInTime, AnyWayOfMergingGivesTheSameBytes) {
  const RunLength longer{.places = 80, .snapshots = 300, .counts = 2000};
  ASSERT_TRUE(merge({0, 1, 2}, path_, 1, longer));
  const std::string at_once = file_bytes(path_);
  ASSERT_TRUE(merge({2, 1, 0}, path_, 3, longer));
  EXPECT_TRUE(file_bytes(path_) == at_once);
  ASSERT_TRUE(merge({2, 0}, folder_ / "two.pyro", 1, longer));
  std::vector<Shard> shards;
  shards.emplace_back(path_, kPlenty);
  shards.emplace_back(path_, kPlenty);
  const auto reader = PyroReader::open(folder_ / "two.pyro");
  ASSERT_TRUE(reader);
  ASSERT_TRUE(shards[0].add(*reader));
  ASSERT_TRUE(shards[1].add(memory_of_rank(1, longer)));
  ASSERT_TRUE(write_merged(shards, path_, {}));
  EXPECT_TRUE(file_bytes(path_) == at_once);
}

}  // namespace
}  // namespace pyrometer

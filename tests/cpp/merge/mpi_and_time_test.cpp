// MPI calls, bins of time and analyses through shards into one file, and back.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "merge/bin_samples.h"
#include "merge/write_merged.h"
#include "support/describe_profile.h"
#include "support/parallel_profile.h"
#include "support/temporary_folder.h"

namespace pyrometer {
namespace {

using testing::describe;
using testing::parallel_profile;
using testing::TemporaryFolder;

constexpr std::uint64_t kPlenty = 1 << 30;
constexpr std::int64_t kSecond = 1'000'000'000;

std::string file_bytes(const Path& path) { return *read_file(path, 1 << 30); }

Result<MergedCounts> merge_ranks(const std::vector<std::int64_t>& ranks, const Path& output,
                                 std::size_t shard_count = 1, MergeAnalyses analyses = {}) {
  std::vector<Shard> shards;
  for (std::size_t i = 0; i < shard_count; ++i) shards.emplace_back(output, kPlenty);
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    PYROMETER_TRY_VOID(shards[i % shard_count].add(parallel_profile(ranks[i])));
  }
  return write_merged(shards, output, {.analyses = analyses});
}

// By metric: the sum over all samples of the threads of one class.
std::map<std::string, std::int64_t> sums_in_time(const Profile& profile, ThreadClass thread_class) {
  std::map<std::string, std::int64_t> sums;
  for (const SampleTrack& track : profile.samples) {
    if (profile.threads[track.thread().row()].thread_class != thread_class) continue;
    track.for_each([&](std::int64_t, NodeId, std::span<const std::int64_t> values) {
      for (std::size_t i = 0; i < values.size(); ++i) {
        sums[profile.metrics[track.metrics()[i].row()].name] += values[i];
      }
    });
  }
  return sums;
}

class MpiAndTime : public ::testing::Test {
 protected:
  TemporaryFolder folder_;
  Path path_ = folder_ / "job.pyro";
};

TEST_F(MpiAndTime, WaitsAreThoseOfTheWholeJob) {
  ASSERT_TRUE(merge_ranks({3, 0, 2, 1}, path_, 2));
  const auto merged = read_pyro(path_, Detail::kValues);
  ASSERT_TRUE(merged) << merged.error().message;
  ProfileBuilder builder;
  for (const std::int64_t rank : {0, 1, 2, 3}) builder.add_profile(parallel_profile(rank));
  const Profile whole = builder.finish();
  EXPECT_EQ(describe(*merged), describe(whole));
  const auto wait = merged->find_metric(metric::kMpiWait);
  ASSERT_TRUE(wait);
  EXPECT_GT(merged->process_totals[3][wait->row()], merged->process_totals[0][wait->row()]);
  // A rank by itself cannot know: its own quickest calls were slow already.
  const Profile alone = parallel_profile(3);
  EXPECT_LT(alone.process_totals[0][alone.find_metric(metric::kMpiWait)->row()],
            merged->process_totals[3][wait->row()]);
}

TEST_F(MpiAndTime, MergingInStepsGivesTheSameBytes) {
  ASSERT_TRUE(merge_ranks({0, 1, 2, 3}, path_));
  const std::string at_once = file_bytes(path_);
  ASSERT_TRUE(merge_ranks({2, 3}, folder_ / "slow.pyro"));
  std::vector<Shard> shards;
  shards.emplace_back(path_, kPlenty);
  shards.emplace_back(path_, kPlenty);
  {
    const auto reader = PyroReader::open(folder_ / "slow.pyro");
    ASSERT_TRUE(reader);
    ASSERT_TRUE(shards[0].add(*reader));
  }
  for (const std::int64_t rank : {1, 0}) ASSERT_TRUE(shards[1].add(parallel_profile(rank)));
  ASSERT_TRUE(write_merged(shards, path_, {}));
  EXPECT_TRUE(file_bytes(path_) == at_once);

  const auto reader = PyroReader::open(path_);
  ASSERT_TRUE(reader);
  std::vector<Shard> alone;
  alone.emplace_back(path_, kPlenty);
  ASSERT_TRUE(alone[0].add(*reader));
  ASSERT_TRUE(write_merged(alone, folder_ / "again.pyro", {}));
  EXPECT_TRUE(file_bytes(folder_ / "again.pyro") == at_once);
}

TEST_F(MpiAndTime, TheSummaryHasTheCallsOfAllProcesses) {
  ASSERT_TRUE(merge_ranks({0, 1, 2, 3}, path_));
  const auto summary = read_pyro(path_, Detail::kSummary);
  const auto values = read_pyro(path_, Detail::kValues);
  ASSERT_TRUE(summary && values);
  ASSERT_EQ(summary->mpi_calls.size(), 3U);  // two sizes of one function, one of the other
  EXPECT_EQ(values->mpi_calls.size(), 20U);  // four ranks of two classes, two or three each
  for (const MpiCalls& site : summary->mpi_calls) {
    MpiCalls sum{.node = site.node, .quickest = INT64_MAX};
    for (const MpiCalls& calls : values->mpi_calls) {
      if (std::tie(calls.node, calls.communicator, calls.size_class) !=
          std::tie(site.node, site.communicator, site.size_class)) {
        continue;
      }
      sum.calls += calls.calls;
      sum.time += calls.time;
      sum.bytes += calls.bytes;
      sum.quickest = std::min(sum.quickest, calls.quickest);
      sum.slowest = std::max(sum.slowest, calls.slowest);
    }
    EXPECT_EQ(std::tie(site.calls, site.time, site.bytes, site.quickest, site.slowest),
              std::tie(sum.calls, sum.time, sum.bytes, sum.quickest, sum.slowest));
  }
}

TEST_F(MpiAndTime, BinsKeepWhatTheSamplesSaid) {
  ASSERT_TRUE(merge_ranks({0, 1}, path_));
  const auto merged = read_pyro(path_, Detail::kEverything);
  ASSERT_TRUE(merged) << merged.error().message;
  ProfileBuilder builder;
  for (const std::int64_t rank : {0, 1}) builder.add_profile(parallel_profile(rank));
  const Profile whole = builder.finish();
  for (const ThreadClass thread_class : {ThreadClass::kMain, ThreadClass::kPython}) {
    auto before = sums_in_time(whole, thread_class);
    std::erase_if(before, [](const auto& sum) { return sum.second == 0; });
    const auto after = sums_in_time(*merged, thread_class);
    ASSERT_EQ(before.size(), after.size());
    for (const auto& [name, sum] : before) {
      // Rounding is carried over, so whole sums are off by a bin's 64th at most.
      EXPECT_NEAR(static_cast<double>(after.at(name)), static_cast<double>(sum), 0.3e6) << name;
    }
  }
  // Bins say when, on the process's own clock: the last quarter of each second is MPI's.
  const auto mpi = merged->find_metric(metric::kMpi);
  std::int64_t in_time = 0, outside = 0;
  for (const SampleTrack& track : merged->samples) {
    const auto column = std::find(track.metrics().begin(), track.metrics().end(), *mpi);
    if (column == track.metrics().end()) continue;
    const ProcessId process = merged->threads[track.thread().row()].process;
    const std::int64_t clock = merged->processes[process.row()].clock;
    ASSERT_NE(clock, 0);
    track.for_each([&](std::int64_t time, NodeId, std::span<const std::int64_t> values) {
      const std::int64_t value = values[static_cast<std::size_t>(column - track.metrics().begin())];
      const std::int64_t middle = (time - value / 2 - clock) % kSecond;
      (middle >= 73 * kSecond / 100 ? in_time : outside) += value;
    });
  }
  EXPECT_NEAR(static_cast<double>(in_time), 1e9, 0.02e9);
  EXPECT_LT(outside, 0.02e9);
}

TEST_F(MpiAndTime, BinsOfRanksLineUp) {
  for (const std::int64_t seconds : {1, 7, 300}) {
    std::vector<std::int64_t> firsts;
    for (const std::int64_t rank : {0, 1, 2}) {
      const auto bins = bin_samples(parallel_profile(rank, seconds));
      const TimeBins& main = bins[0][static_cast<std::size_t>(ThreadClass::kMain)];
      ASSERT_FALSE(main.times.empty());
      const std::int64_t count = main.times.back().bin - main.times.front().bin + 1;
      EXPECT_LE(count, kMostBins);
      EXPECT_GE(count, std::min<std::int64_t>(kMostBins / 2, seconds * 100));
      EXPECT_GE(main.width(), testing::ParallelProfile::kPeriod);
      firsts.push_back(main.times.front().bin << main.width_bits);
    }
    EXPECT_EQ(firsts[0], firsts[1]);
    EXPECT_EQ(firsts[0], firsts[2]);
  }
}

TEST_F(MpiAndTime, SamplesWithoutSenseMakeNoBins) {
  Profile profile = parallel_profile(0, 1);
  profile.samples[0].append(INT64_MAX, NodeId(0), std::vector<std::int64_t>{1, 1, 1, 0, 0, 0});
  profile.samples[0].append(INT64_MIN, NodeId(0), std::vector<std::int64_t>{9, 9, 9, 0, 0, 0});
  const auto by_class = bin_samples(profile);
  for (const TimeBins& bins : by_class[0]) EXPECT_TRUE(bins.times.empty());
}

TEST_F(MpiAndTime, PlacesBeyondAFewGoToTheLargestOfTheirKind) {
  ProfileBuilder builder;
  const ProcessId process = builder.add_process({.start = 1});
  const ThreadId thread = builder.add_thread({.process = process, .name = builder.string("")});
  const MetricId wall = builder.metric({"wall", Unit::kNanoseconds});
  const MetricId io = builder.metric({"io", Unit::kNanoseconds});
  const FunctionId function = builder.function({.name = "f"});
  SampleTrack track(thread, {wall, io});
  std::int64_t time = 0;
  for (std::uint32_t i = 1; i <= 10; ++i) {
    const NodeId node = builder.node(NodeId::none(), function, i);
    time += i * 100'000;
    // The odd ones are input and output.
    track.append(time, node, std::vector<std::int64_t>{i * 100'000, i % 2 == 1 ? i * 100'000 : 0});
  }
  builder.profile().samples.push_back(track);
  const auto bins = bin_samples(builder.finish());
  const std::vector<BinnedTime>& times = bins[0][0].times;
  ASSERT_EQ(times.size(), kPlacesPerBin);
  std::map<std::uint32_t, std::uint32_t> units;
  for (const BinnedTime& each : times) units[each.kind.row()] += each.units;
  const double unit = static_cast<double>(bins[0][0].width() >> kUnitsPerBinBits);
  EXPECT_NEAR(units[io.row()] * unit, 2.5e6, unit);
  EXPECT_NEAR(units[wall.row()] * unit, 3e6, unit);
}

// Adds up what it is shown.
class AddingAnalysis : public MergeAnalysis {
 public:
  std::string_view key() const override { return "sum"; }
  void begin(const Profile& job) override { job_ = &job; }
  void add(ProcessId process, const ThreadCells& cells) override {
    EXPECT_TRUE(seen_.insert(process).second);
    for (std::size_t metric = 0; metric < cells.size(); ++metric) {
      NodeId last = NodeId::none();
      for (const Cell& cell : cells[metric]) {
        EXPECT_TRUE(last.is_none() || last < cell.node);
        EXPECT_NE(cell.value, 0);
        last = cell.node;
        sums_[job_->metrics[metric].name] += cell.value;
      }
    }
  }
  std::string partial() const override { return {}; }
  Result<void> absorb(std::string_view) override { return {}; }
  std::string finish() override {
    std::string text;
    for (const auto& [name, sum] : sums_) text += fmt::format("{}={};", name, sum);
    return text;
  }
  std::size_t seen() const { return seen_.size(); }

 private:
  const Profile* job_ = nullptr;
  std::set<ProcessId> seen_;
  std::map<std::string, std::int64_t> sums_;
};

TEST_F(MpiAndTime, AnalysesSeeEveryProcessOnceWithItsWaits) {
  AddingAnalysis analysis;
  MergeAnalysis* const analyses[] = {&analysis};
  ASSERT_TRUE(merge_ranks({0, 1, 2, 3}, path_, 2, analyses));
  EXPECT_EQ(analysis.seen(), 4U);
  const auto reader = PyroReader::open(path_);
  ASSERT_TRUE(reader);
  const auto found = reader->read_analysis("sum");
  ASSERT_TRUE(found && *found);
  const auto summary = read_pyro(path_, Detail::kSummary);
  ASSERT_TRUE(summary);
  std::map<std::string, std::int64_t> totals;
  for (std::size_t metric = 0; metric < summary->metrics.size(); ++metric) {
    for (const std::int64_t total : summary->node_totals[metric]) {
      totals[summary->metrics[metric].name] += total;
    }
  }
  std::string expected;
  for (const auto& [name, sum] : totals) expected += fmt::format("{}={};", name, sum);
  EXPECT_EQ(**found, expected);
  EXPECT_FALSE(*reader->read_analysis("nothing"));
}

}  // namespace
}  // namespace pyrometer

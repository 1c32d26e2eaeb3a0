// Bins of time, MPI calls, live memory and what analyses leave: written, read back, and damaged.
#include <gtest/gtest.h>

#include "profile/builder.h"
#include "store/edit_file.h"
#include "store/pyro_reader.h"
#include "store/pyro_writer.h"
#include "support/temporary_folder.h"

namespace pyrometer {
namespace {

using testing::run_sql;
using testing::TemporaryFolder;

constexpr std::int64_t kStart = 1'700'000'000'000'000'000;
constexpr std::int64_t kClock = 5'000'000'000;
constexpr std::int64_t kWidth = std::int64_t{1} << kLeastWidthBits;
constexpr std::int64_t kUnit = kWidth >> kUnitsPerBinBits;
constexpr std::int64_t kFirstBin = (kStart >> kLeastWidthBits) + 1;

// One process with two thread classes and three nodes.
class BinsAndCalls : public ::testing::Test {
 protected:
  void SetUp() override {
    ProfileBuilder builder;
    const ProcessId process =
        builder.add_process({.start = kStart, .duration = 1'000'000'000, .clock = kClock});
    for (const ThreadClass thread_class : {ThreadClass::kMain, ThreadClass::kPython}) {
      builder.add_thread({.process = process,
                          .thread_class = thread_class,
                          .name = builder.string(name_of(thread_class))});
    }
    for (const char* name : {"cpu", "io", "mpi-wait", "python", "wall"}) {
      builder.metric({name, Unit::kNanoseconds});
    }
    const FunctionId function = builder.function({.name = "f"});
    for (std::uint32_t line = 1; line <= 3; ++line) builder.node(NodeId::none(), function, line);
    tables_.profile = builder.finish();
  }

  Result<void> write() {
    PYROMETER_TRY(PyroWriter writer, PyroWriter::create(path_, tables_));
    PYROMETER_TRY_VOID(writer.write_mpi_calls(ThreadId(0), calls_));
    PYROMETER_TRY_VOID(writer.write_time_bins(ThreadId(0), bins_));
    PYROMETER_TRY_VOID(writer.write_time_bins(ThreadId(1), {}));
    PYROMETER_TRY_VOID(writer.write_live(ThreadId(0), live_));
    PYROMETER_TRY_VOID(writer.write_live(ThreadId(1), {}));
    PYROMETER_TRY_VOID(writer.write_analysis("ranks", std::string_view("a\0b", 3)));
    return writer.finish();
  }

  // What reading says after `sql` has changed the file.
  std::string error_after(const std::string& sql, Detail detail) {
    EXPECT_TRUE(write());
    run_sql(path_, sql);
    const auto profile = read_pyro(path_, detail);
    if (profile) return "";
    EXPECT_EQ(profile.error().code, ErrorCode::kCorrupt) << sql;
    return profile.error().message;
  }

  TemporaryFolder folder_;
  Path path_ = folder_ / "job.pyro";
  MergedTables tables_;
  std::vector<MpiCalls> calls_{{ThreadId(0), NodeId(1), 4, 10, 7, 700, 7000, 50, 300},
                               {ThreadId(0), NodeId(1), 4, 11, 1, -5, 0, 0, 0},
                               {ThreadId(0), NodeId(2), 0, 0, 2, 20, 0, 9, 11}};
  std::vector<LiveTrack> live_{{ThreadId(0), NodeId(0), {{kClock, 500}, {kClock + 20, 0}}},
                               {ThreadId(0), NodeId(2), {{kClock + 7, 1 << 30}}}};
  // Two places in one bin, three bins of waiting later on, and more than one thread in the last.
  TimeBins bins_{kLeastWidthBits,
                 {{kFirstBin, NodeId(0), MetricId(3), 40},
                  {kFirstBin, NodeId(2), MetricId(1), 24},
                  {kFirstBin + 3, NodeId(2), MetricId(4), 150}}};
};

TEST_F(BinsAndCalls, ComeBackAsSamplesOnTheProcessesOwnClock) {
  ASSERT_TRUE(write());
  const auto profile = read_pyro(path_, Detail::kSamples);
  ASSERT_TRUE(profile) << profile.error().message;
  EXPECT_EQ(profile->processes[0].clock, kClock);
  ASSERT_EQ(profile->samples.size(), 1U);
  const SampleTrack& track = profile->samples[0];
  std::vector<std::string> names;
  for (const MetricId metric : track.metrics())
    names.push_back(profile->metrics[metric.row()].name);
  EXPECT_EQ(names, (std::vector<std::string>{"wall", "cpu", "python", "io"}));
  struct Sample {
    std::int64_t time;
    std::uint32_t node;
    std::vector<std::int64_t> values;
    bool operator==(const Sample&) const = default;
  };
  std::vector<Sample> samples;
  track.for_each([&](std::int64_t time, NodeId node, std::span<const std::int64_t> values) {
    samples.push_back({time, node.row(), {values.begin(), values.end()}});
  });
  const std::int64_t first = (kFirstBin << kLeastWidthBits) - kStart + kClock;
  const std::int64_t later = first + 3 * kWidth;
  const std::vector<Sample> expected{
      {first + 40 * kUnit, 0, {40 * kUnit, 40 * kUnit, 40 * kUnit, 0}},
      {first + 64 * kUnit, 2, {24 * kUnit, 0, 0, 24 * kUnit}},
      {later + 22 * kUnit, 2, {22 * kUnit, 0, 0, 0}},
      {later + 64 * kUnit, 2, {kWidth, 0, 0, 0}},
      {later + 64 * kUnit, 2, {kWidth, 0, 0, 0}}};
  EXPECT_TRUE(samples == expected);
}

TEST_F(BinsAndCalls, OnlyWhoAsksForSamplesGetsThem) {
  ASSERT_TRUE(write());
  EXPECT_TRUE(read_pyro(path_, Detail::kValues)->samples.empty());
  EXPECT_TRUE(read_pyro(path_, Detail::kSummary)->samples.empty());
  EXPECT_TRUE(read_pyro(path_, Detail::kSummary)->leaves_out_samples);
  EXPECT_EQ(read_pyro(path_, Detail::kEverything)->samples.size(), 1U);
}

TEST_F(BinsAndCalls, MpiCallsComeBack) {
  ASSERT_TRUE(write());
  for (const Detail detail : {Detail::kSummary, Detail::kValues}) {
    const auto profile = read_pyro(path_, detail);
    ASSERT_TRUE(profile) << profile.error().message;
    ASSERT_EQ(profile->mpi_calls.size(), calls_.size());
    for (std::size_t i = 0; i < calls_.size(); ++i) {
      const MpiCalls& a = profile->mpi_calls[i];
      const MpiCalls& b = calls_[i];
      EXPECT_EQ(std::tie(a.thread, a.node, a.communicator, a.size_class, a.calls, a.time, a.bytes),
                std::tie(b.thread, b.node, b.communicator, b.size_class, b.calls, b.time, b.bytes));
      EXPECT_EQ(std::tie(a.quickest, a.slowest), std::tie(b.quickest, b.slowest));
    }
  }
}

TEST_F(BinsAndCalls, LiveMemoryComesBack) {
  ASSERT_TRUE(write());
  EXPECT_TRUE(read_pyro(path_, Detail::kSummary)->live_tracks.empty());
  for (const Detail detail : {Detail::kCurves, Detail::kValues}) {
    const auto profile = read_pyro(path_, detail);
    ASSERT_TRUE(profile) << profile.error().message;
    ASSERT_EQ(profile->live_tracks.size(), live_.size());
    for (std::size_t i = 0; i < live_.size(); ++i) {
      EXPECT_EQ(profile->live_tracks[i].thread, live_[i].thread);
      EXPECT_EQ(profile->live_tracks[i].node, live_[i].node);
      EXPECT_EQ(profile->live_tracks[i].points, live_[i].points);
    }
  }
}

TEST_F(BinsAndCalls, FilesOfTheFormatBeforeHaveNoLiveMemory) {
  ASSERT_TRUE(write());
  run_sql(path_, "DROP TABLE live; PRAGMA user_version = 2");
  const auto profile = read_pyro(path_, Detail::kEverything);
  ASSERT_TRUE(profile) << profile.error().message;
  EXPECT_TRUE(profile->live_tracks.empty());
  EXPECT_EQ(profile->samples.size(), 1U);
}

TEST_F(BinsAndCalls, AnalysesAreFoundByTheirKey) {
  ASSERT_TRUE(write());
  const auto reader = PyroReader::open(path_);
  ASSERT_TRUE(reader);
  EXPECT_EQ(*reader->read_analysis("ranks"), std::string("a\0b", 3));
  EXPECT_EQ(*reader->read_analysis("other"), std::nullopt);
}

TEST_F(BinsAndCalls, EveryRowIsChecked) {
  EXPECT_EQ(error_after("SELECT 1", Detail::kEverything), "");
  for (const char* sql : {
           "UPDATE clock SET process = 7",
           "UPDATE clock SET monotonic = 'late'",
           "UPDATE time_bin SET thread = 7",
           "UPDATE time_bin SET width_bits = 3",
           "UPDATE time_bin SET width_bits = 63",
           "UPDATE time_bin SET first = 9223372036854775807",
           "UPDATE time_bin SET first = NULL",
           "UPDATE time_bin SET times = 4",
           "UPDATE time_bin SET times = 4000000000",
           "UPDATE time_bin SET scale = 1000",
           "UPDATE time_bin SET scale = -1",
           "UPDATE time_bin SET planes = 0",
           "UPDATE time_bin SET data = zeroblob(9)",
           "UPDATE mpi_calls SET thread = 7",
           "UPDATE mpi_calls SET places = 2",
           "UPDATE mpi_calls SET places = 4000000000",
           "UPDATE mpi_calls SET scale = 5",
           "UPDATE mpi_calls SET planes = 9",
           "UPDATE mpi_calls SET planes = 0",
           "UPDATE mpi_calls SET data = 'text'",
           "UPDATE live SET thread = 7",
           "UPDATE live SET tracks = 0",
           "UPDATE live SET tracks = 3",
           "UPDATE live SET tracks = 4000000000, moments = 4000000000",
           "UPDATE live SET moments = 4000000000",
           "UPDATE live SET first = 9223372036854775807",
           "UPDATE live SET first = 'early'",
           "UPDATE live SET scale = -1",
           "UPDATE live SET scale = 3",
           "UPDATE live SET planes = 0",
           "UPDATE live SET planes = 9",
           "UPDATE live SET data = zeroblob(9)",
           "DROP TABLE live",
           "DROP TABLE analysis",
           "DROP TABLE mpi_site; CREATE VIEW mpi_site AS SELECT * FROM node",
       }) {
    EXPECT_NE(error_after(sql, Detail::kEverything), "") << sql;
  }
  for (const char* sql : {"UPDATE mpi_site SET node = 3", "UPDATE mpi_site SET calls = 'many'",
                          "UPDATE mpi_site SET communicator = -1"}) {
    EXPECT_NE(error_after(sql, Detail::kSummary), "") << sql;
  }
}

}  // namespace
}  // namespace pyrometer
